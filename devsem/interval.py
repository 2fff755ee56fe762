"""Bounds of sums, products, quotients and roots between constants, with proofs: rounding keeps order.

Inside `if (x > 20.0f)` we know that `x*2.0f` is at least 40: the constants of the order graph are carried through each operation by a
lemma of `FloatLib/Lemmas/Interval.lean`. A product with a constant is also compared with its other factor.
"""

from __future__ import annotations

from collections.abc import Callable

from devsem.expr import Expr, mk
from devsem.lemma import NAN, ONE, ZERO
from devsem.order import path
from devsem.scope import FALSE, TRUE, Scope, evaluate_closed
from devsem.term import Argument, Use

Simplify = Callable[[Scope, Expr], tuple[Expr, str | None]]
Bound = tuple[Expr, str]  # a constant, and the step that it is at most (or at least) the term
ARITHMETIC = ("add_rn", "mul_rn", "div_rn", "sqrt_rn", "fma_rn", "neg", "min_num", "max_num")
DEPTH = 4


def _closed(scope: Scope, op: str, a: Expr, b: Expr) -> str | None:
    """A step `op a b = true` on constants."""
    return scope.refl(mk(op, a, b), TRUE) if evaluate_closed(mk(op, a, b)) is TRUE else None


def _at_most(scope: Scope, a: Expr, b: Expr) -> str | None:
    """A step `le a b = true` on constants or by the graph."""
    return _closed(scope, "le", a, b) if a.is_const and b.is_const else path(scope, a, b, False)


def _number(scope: Scope, e: Expr, simplify: Simplify) -> str | None:
    """A step `is_nan e = false`."""
    known, proof = simplify(scope, mk("is_nan", e))
    if known is not FALSE:
        return None
    return proof or scope.refl(mk("is_nan", e), FALSE)


def _between(scope: Scope, below: Expr, proof: str, middle: Expr, above: Expr) -> str | None:
    """`le below above` through constants: `le below middle` is the step `proof`."""
    last = _at_most(scope, middle, above)
    if last is None:
        return None
    return scope.step(mk("le", below, above), TRUE, "Fp.le_trans", below, middle, above, Use(proof), Use(last))


def bound(scope: Scope, e: Expr, lower: bool, simplify: Simplify, depth: int = DEPTH) -> Bound | None:
    """The best constant known below (or above) a term, with the step that says so."""
    if e.is_const:
        proof = None if e is NAN else _closed(scope, "le", e, e)
        return None if proof is None else (e, proof)
    best: Bound | None = None
    for c in scope.constants():
        if c is NAN:
            continue
        found = path(scope, c, e, False) if lower else path(scope, e, c, False)
        if found and (best is None or evaluate_closed(mk("lt", *((best[0], c) if lower else (c, best[0])))) is TRUE):
            best = (c, found)
    if depth == 0 or e.op not in ARITHMETIC:
        return best
    carried = _carried(scope, e, lower, simplify, depth - 1)
    if carried and (best is None or evaluate_closed(mk("lt", *((best[0], carried[0]) if lower else (carried[0], best[0])))) is TRUE):
        return carried
    return best


def _carried(scope: Scope, e: Expr, lower: bool, simplify: Simplify, depth: int) -> Bound | None:
    """A bound of an operation's result from bounds of its arguments."""
    if e.op == "neg":
        return _opposite(scope, e, lower, simplify, depth)
    if e.op in ("min_num", "max_num"):
        one = (e.op == "min_num") is not lower
        return _by_member(scope, e, lower, simplify, depth) if one else _by_both(scope, e, lower, simplify, depth)
    number = _number(scope, e, simplify)
    if number is None:
        return None
    if e.op == "sqrt_rn":
        return (ZERO, scope.step(mk("le", ZERO, e), TRUE, "F32.sqrt_nonneg", e.args[0], Use(number))) if lower else None
    if e.op == "fma_rn":
        return _fused(scope, e, lower, number, simplify, depth)
    a, b = e.args
    if e.op == "mul_rn" and a is b:
        inner = _number(scope, a, simplify)
        return (ZERO, scope.step(mk("le", ZERO, e), TRUE, "F32.mul_self_nonneg", a, Use(inner))) if lower and inner else None
    if e.op == "mul_rn" and lower and not b.is_const:
        return _product(scope, e, number, simplify, depth)
    left = bound(scope, a, lower, simplify, depth)
    if left is None:
        return None
    if e.op == "add_rn":
        right = bound(scope, b, lower, simplify, depth)
        return None if right is None else _sum(scope, e, left, right, lower, number)
    if not b.is_const or evaluate_closed(mk("lt" if e.op == "div_rn" else "le", ZERO, b)) is not TRUE:
        return None
    positive = scope.refl(mk("lt" if e.op == "div_rn" else "le", ZERO, b), TRUE)
    lemma = "F32.mul_le_of_le_left" if e.op == "mul_rn" else "F32.div_le_of_le_left"
    order = (left[0], a) if lower else (a, left[0])
    numbers = ("rfl", Use(number)) if lower else (Use(number), "rfl")
    return _reached(scope, e, mk(e.op, left[0], b), lower, lemma, *order, b, Use(left[1]), Use(positive), *numbers)


def _opposite(scope: Scope, e: Expr, lower: bool, simplify: Simplify, depth: int) -> Bound | None:
    """The bound of a negation is the opposite of the other bound."""
    inner = bound(scope, e.args[0], not lower, simplify, depth)
    if inner is None:
        return None
    a, (c, proof) = e.args[0], inner
    low, high = (a, c) if lower else (c, a)
    before = mk("le", low, high)
    turned = mk("le", mk("neg", high), mk("neg", low))
    moved = scope.step(turned, before, "Fp.le_neg_neg", high, low)
    whole = scope.step(turned, TRUE, "Eq.trans", Use(moved), Use(proof))
    return _restated(scope, e, mk("neg", c), lower, whole)


def _by_member(scope: Scope, e: Expr, lower: bool, simplify: Simplify, depth: int) -> Bound | None:
    """A minimum is at most each of its members that is a number, a maximum at least."""
    best: Bound | None = None
    for member, side in zip(e.args, ("left", "right"), strict=True):
        found = bound(scope, member, lower, simplify, depth)
        number = found and _number(scope, member, simplify)
        if not found or not number or (best and evaluate_closed(mk("le", *((found[0], best[0]) if lower else (best[0], found[0])))) is TRUE):
            continue
        c, proof = found
        ends = (member, e) if lower else (e, member)
        step = scope.step(mk("le", *ends), TRUE, f"Fp.le_maxNum_{side}" if lower else f"Fp.minNum_le_{side}", *e.args, Use(number))
        chain = (c, member, e) if lower else (e, member, c)
        both = (Use(proof), Use(step)) if lower else (Use(step), Use(proof))
        best = c, scope.step(mk("le", chain[0], chain[2]), TRUE, "Fp.le_trans", *chain, *both)
    return best


def _by_both(scope: Scope, e: Expr, lower: bool, simplify: Simplify, depth: int) -> Bound | None:
    """A minimum is at least what both members are at least, a maximum at most what both are at most."""
    found = [bound(scope, member, lower, simplify, depth) for member in e.args]
    if found[0] is None or found[1] is None:
        return None
    first, second = found[0], found[1]
    c = first[0] if _closed(scope, "le", *((first[0], second[0]) if lower else (second[0], first[0]))) else second[0]
    proofs = []
    for member, (own, proof) in zip(e.args, (first, second), strict=True):
        step = _closed(scope, "le", *((c, own) if lower else (own, c)))
        if step is None:
            return None
        chain, both = ((c, own, member), (Use(step), Use(proof))) if lower else ((member, own, c), (Use(proof), Use(step)))
        proofs.append(Use(scope.step(mk("le", chain[0], chain[2]), TRUE, "Fp.le_trans", *chain, *both)))
    claim = mk("le", c, e) if lower else mk("le", e, c)
    return c, scope.step(claim, TRUE, "Fp.le_minNum" if lower else "Fp.maxNum_le", *e.args, c, *proofs)


def _product(scope: Scope, e: Expr, number: str, simplify: Simplify, depth: int) -> Bound | None:
    """The least product of two factors with least values that are not negative."""
    a, b = e.args
    left = bound(scope, a, True, simplify, depth)
    right = left and bound(scope, b, True, simplify, depth)
    if not left or not right:
        return None
    signs = [_closed(scope, "le", ZERO, c) for c in (left[0], right[0])]
    if signs[0] is None or signs[1] is None:
        return None
    proofs: tuple[Argument, ...] = (Use(signs[0]), Use(left[1]), Use(signs[1]), Use(right[1]), "rfl", Use(number))
    return _reached(scope, e, mk("mul_rn", left[0], right[0]), True, "F32.mul_le_of_le_nonneg", left[0], a, right[0], b, *proofs)


def _fused(scope: Scope, e: Expr, lower: bool, number: str, simplify: Simplify, depth: int) -> Bound | None:
    """A fused product with a finite constant factor that is not negative."""
    a, c, addend = e.args
    left = bound(scope, a, lower, simplify, depth) if c.is_const and _closed(scope, "le", ZERO, c) else None
    right = left and bound(scope, addend, lower, simplify, depth)
    if not left or not right or evaluate_closed(mk("is_finite", c)) is not TRUE:
        return None
    terms = (left[0], a, c, right[0], addend) if lower else (a, left[0], c, addend, right[0])
    ends = ("rfl", Use(number)) if lower else (Use(number), "rfl")
    closed = mk("fma_rn", left[0], c, right[0])
    return _reached(scope, e, closed, lower, "F32.fma_le_of_le", *terms, Use(left[1]), "rfl", "rfl", Use(right[1]), *ends)


def _sum(scope: Scope, e: Expr, left: Bound, right: Bound, lower: bool, number: str) -> Bound | None:
    a, b = e.args
    terms = (left[0], a, right[0], b) if lower else (a, left[0], b, right[0])
    ends = ("rfl", Use(number)) if lower else (Use(number), "rfl")
    return _reached(scope, e, mk("add_rn", left[0], right[0]), lower, "F32.add_le_of_le", *terms, Use(left[1]), Use(right[1]), *ends)


def _reached(scope: Scope, e: Expr, closed: Expr, lower: bool, lemma: str, *args: Argument) -> Bound | None:
    """A lemma that compares `e` with an operation on constants; and that is a constant. In two steps, lest Lean unfold `e` to see it."""
    value = evaluate_closed(closed)
    if value is None or value is NAN:
        return None
    return _restated(scope, e, closed, lower, scope.step(mk("le", closed, e) if lower else mk("le", e, closed), TRUE, lemma, *args))


def _restated(scope: Scope, e: Expr, closed: Expr, lower: bool, step: str) -> Bound | None:
    """The bound that is an operation on constants, as a constant."""
    value = evaluate_closed(closed)
    if value is None:
        return None
    raw, claim = (mk("le", c, e) if lower else mk("le", e, c) for c in (closed, value))
    worth = scope.refl(closed, value)
    moved = scope.symm(raw, scope.congr(raw, claim, (worth, None) if lower else (None, worth)), claim)
    return value, scope.trans(claim, moved, raw, step, TRUE) or step


SELF = {  # (the factor is at most 1, the other factor is at least 0): the lemma, and whether the product is the smaller side
    (True, True): ("F32.mul_le_self", True), (True, False): ("F32.le_mul_self_of_nonpos", False),
    (False, True): ("F32.le_mul_self", False), (False, False): ("F32.mul_le_self_of_nonpos", True),
}


def _with_factor(scope: Scope, a: Expr, b: Expr, simplify: Simplify) -> str | None:
    """`le a b` where one side is the other times a constant that is not negative."""
    for product, x, product_first in ((a, b, True), (b, a, False)):
        if product.op != "mul_rn" or product.args[0] is not x or not product.args[1].is_const:
            continue
        k = product.args[1]
        number = _number(scope, product, simplify)
        if number is None or evaluate_closed(mk("le", ZERO, k)) is not TRUE:
            continue
        for (small, positive), (lemma, below) in SELF.items():
            size, sign = _closed(scope, "le", *((k, ONE) if small else (ONE, k))), _sign(scope, x, positive, simplify)
            if below is not product_first or size is None or sign is None:
                continue
            zero = [Use(scope.refl(mk("le", ZERO, k), TRUE))] if small else []
            return scope.step(mk("le", a, b), TRUE, lemma, x, k, Use(sign), Use(size), *zero, Use(number))
    return None


def _sign(scope: Scope, x: Expr, positive: bool, simplify: Simplify) -> str | None:
    """A step `le 0 x` (or `le x 0`)."""
    found = bound(scope, x, positive, simplify)
    if found is None:
        return None
    c, proof = found
    if positive:
        first = _closed(scope, "le", ZERO, c)
        return first and scope.step(mk("le", ZERO, x), TRUE, "Fp.le_trans", ZERO, c, x, Use(first), Use(proof))
    return _between(scope, x, proof, c, ZERO) if evaluate_closed(mk("le", c, ZERO)) is TRUE else None


def at_most(scope: Scope, a: Expr, b: Expr, strict: bool, simplify: Simplify) -> str | None:
    """A step `le a b = true` (or `lt`) from bounds."""
    above = bound(scope, a, False, simplify)
    below = above and bound(scope, b, True, simplify)
    if above and below:
        middle = _closed(scope, "lt" if strict else "le", above[0], below[0])
        if middle:
            op = "lt" if strict else "le"
            half = scope.step(mk(op, a, below[0]), TRUE, "Fp.lt_of_le_of_lt" if strict else "Fp.le_trans", a, above[0], below[0], Use(above[1]), Use(middle))
            return scope.step(mk(op, a, b), TRUE, "Fp.lt_of_lt_of_le" if strict else "Fp.le_trans", a, below[0], b, Use(half), Use(below[1]))
    return None if strict else _with_factor(scope, a, b, simplify)


def decide(scope: Scope, atom: Expr, simplify: Simplify) -> tuple[Expr, str] | None:
    """The value of a comparison with arithmetic in it, when bounds decide it."""
    if atom.op not in ("lt", "le") or not any(a.op in ARITHMETIC for a in atom.args):
        return None
    a, b = atom.args
    yes = at_most(scope, a, b, atom.op == "lt", simplify)
    if yes:
        return TRUE, yes
    back = at_most(scope, b, a, atom.op == "le", simplify)
    if back:
        return FALSE, scope.step(atom, FALSE, "Fp.lt_false_of_le" if atom.op == "lt" else "Fp.le_false_of_lt", a, b, Use(back))
    return None
