"""Rewriting of products, quotients and fused sums with constants, and of signs in sums: by the pool's rows that ask closed tests."""

from __future__ import annotations

from collections.abc import Callable

from devsem.closed import holds
from devsem.digest import digest
from devsem.expr import Expr, bits, mk
from devsem.lemmas import NAN, ONE
from devsem.scope import TRUE, Scope, evaluate_closed
from devsem.term import Argument, Use

Rewrite = tuple[Expr, str] | None
Simplify = Callable[[Scope, Expr], tuple[Expr, str | None]]


def negative_factor(scope: Scope, e: Expr) -> Rewrite:
    """A negative constant factor or divisor is a positive one with the sign outside; of a fused product, at the other factor, unless that is
    a positive constant, which would give the sign back."""
    if e.op not in ("mul_rn", "div_rn", "fma_rn") or not e.args[1].is_const or not 0x80000000 <= e.args[1].value <= 0xFF800000:
        return None
    a, c = e.args[:2]
    positive = bits(c.value & 0x7FFFFFFF)
    if e.op == "fma_rn":
        if a.is_const and a.value < 0x80000000:
            return None
        after = mk("fma_rn", mk("neg", a), positive, e.args[2])
        return after, scope.step(e, after, "Fp.fma_neg_swap", a, positive, e.args[2])
    after = mk("neg", mk(e.op, a, positive))
    return after, scope.step(e, after, f"Fp.{e.op[:3]}_neg_right", a, positive)


def reciprocal(scope: Scope, e: Expr) -> Rewrite:
    """Division by a power of two is multiplication by its reciprocal."""
    if e.op != "div_rn" or not e.args[1].is_const or e.args[1] is NAN:
        return None
    exponent = e.args[1].value >> 23 & 0xFF
    if e.args[1].value & 0x7FFFFF or not 1 <= 254 - exponent <= 254:
        return None
    reciprocal = bits(e.args[1].value & 0x80000000 | (254 - exponent) << 23)
    if not holds("Fp.isRecip", (e.args[1], reciprocal)):
        return None
    after = mk("mul_rn", e.args[0], reciprocal)
    return after, scope.step(e, after, "Fp.div_eq_mul", e.args[0], e.args[1], reciprocal, "rfl")


def scalings(scope: Scope, e: Expr) -> Rewrite:
    """Two factors that are constants become one, where both scale up or both halve."""
    if e.op != "mul_rn" or e.args[0].op != "mul_rn" or not e.args[1].is_const or not e.args[0].args[1].is_const:
        return None
    a, c = e.args[0].args
    product = evaluate_closed(mk("mul_rn", c, e.args[1]))
    if product is None or not holds("Fp.isScalings", (c, e.args[1], product)):
        return None
    after = mk("mul_rn", a, product)
    return after, scope.step(e, after, "Fp.mul_mul_scale", a, c, e.args[1], product, "rfl")


def fma_self(scope: Scope, e: Expr) -> Rewrite:
    """`a * c + a`, rounded once, is `a * (c + 1)`."""
    if e.op != "fma_rn" or e.args[0] is not e.args[2] or not e.args[1].is_const:
        return None
    more = evaluate_closed(mk("add_rn", e.args[1], ONE))
    if more is None or not holds("Fp.isSucc", (e.args[1], more)):
        return None
    after = mk("mul_rn", e.args[0], more)
    return after, scope.step(e, after, "Fp.fma_self_add", e.args[0], e.args[1], more, "rfl")


def sum_signs(scope: Scope, e: Expr) -> Rewrite:
    """Under an absolute value or a square, the first term of a sum, signs aside, has no minus."""
    if e.op not in ("abs", "mul_rn") or e.args[0].op != "add_rn" or e.args[0] is not e.args[-1]:
        return None
    total = e.args[0]
    first, second = sorted(total.args, key=lambda t: digest(t.args[0] if t.op == "neg" else t))
    if first.op != "neg":
        return None
    a, b = first.args[0], second
    turned, other = mk("add_rn", first, b), mk("add_rn", a, mk("neg", b))
    before, after = (mk(e.op, *(t for _ in e.args)) for t in (turned, other))
    step = scope.step(before, after, "Fp.abs_add_neg_left" if e.op == "abs" else "Fp.mul_self_add_neg_left", a, b)
    move = None if turned is total else scope.step(total, turned, "Fp.add_comm", *total.args)
    return after, scope.trans(e, scope.congr(e, before, [move] * len(e.args)), before, step, after) or step


def _known_true(scope: Scope, condition: Expr, simplify: Simplify) -> Argument | None:
    """What shows that a condition is true here."""
    known, proof = simplify(scope, condition)
    return None if known is not TRUE else Use(proof) if proof else "rfl"


def exact(scope: Scope, e: Expr, simplify: Simplify) -> Rewrite:
    """A power of two that multiplies exactly here: joined with a constant factor, or taken out of a fused sum."""
    rest: tuple[Expr, ...]
    if e.op == "mul_rn" and e.args[0].op == "mul_rn" and e.args[1].is_const:
        (a, c), d = e.args[0].args, e.args[1]
        product = evaluate_closed(mk("mul_rn", c, d)) if c.is_const else None
        if product is None or not holds("Fp.isProduct", (c, d, product)):
            return None
        names, rest, after = ("Fp.mul_mul_scale_of_finite", "Fp.mul_mul_shrink"), (d, product), mk("mul_rn", a, product)
    elif e.op == "fma_rn" and e.args[1].is_const:
        a, c, d = e.args
        names, rest, after = ("Fp.fma_scale", "Fp.fma_shrink"), (d,), mk("add_rn", mk("mul_rn", a, c), d)
    else:
        return None
    ends: tuple[Argument, ...] = ("rfl", "rfl") if len(rest) == 2 else ("rfl",)
    if holds("Fp.isScale", (c,)):
        proof = _known_true(scope, mk("is_finite", mk("mul_rn", a, c)), simplify)
        return None if proof is None else (after, scope.step(e, after, names[0], a, c, *rest, proof, *ends))
    least = _least(c)
    if least is None:
        return None
    proof = _known_true(scope, mk("le", least, mk("abs", a)), simplify)
    return None if proof is None else (after, scope.step(e, after, names[1], a, least, c, *rest, proof, *ends))


def _least(c: Expr) -> Expr | None:
    """The least value whose product with this power of two below 1 is normal, if it is one."""
    exponent = c.value >> 23 & 0xFF
    least = bits(128 - exponent << 23) if 1 <= exponent <= 127 else None
    return least if least is not None and holds("Fp.isShrink", (c, least)) else None


def scale_swap(scope: Scope, e: Expr, simplify: Simplify) -> Rewrite:
    """A power of two that multiplies either factor exactly goes to the one with the smaller digest."""
    if e.op != "mul_rn":
        return None
    for scaled, b in (e.args, e.args[::-1]):
        if scaled.op != "mul_rn" or not scaled.args[1].is_const or b.is_const or not holds("Fp.isScale", (scaled.args[1],)):
            continue
        a, c = scaled.args
        if b.op == "mul_rn" or digest(a) <= digest(b):
            continue
        proofs = [_known_true(scope, mk("is_finite", mk("mul_rn", x, c)), simplify) for x in (a, b)]
        if None in proofs:
            continue
        first, after = mk("mul_rn", scaled, b), mk("mul_rn", a, mk("mul_rn", b, c))
        step = scope.step(first, after, "Fp.mul_scale_swap", a, b, c, *(p for p in proofs if p), "rfl")
        turned = None if first is e else scope.step(e, first, "Fp.mul_comm", *e.args)
        return after, scope.trans(e, turned, first, step, after) or step
    return None

def fma_exponent(scope: Scope, e: Expr) -> Rewrite:
    """A fused product with a word shifted into the exponent field, as `expf` ends: the product and then the sum."""
    if e.op != "fma_rn" or not e.args[2].is_const or not holds("Fp.isTame", (e.args[2],)):
        return None
    a, b, c = e.args
    bare_a = a.args[0] if a.op == "neg" else a
    if not _is_exponent(b) and not _is_exponent(bare_a):
        return None
    proof: str | None = None
    now = e
    if not _is_exponent(b):
        now = mk("fma_rn", b, a, c)
        proof = scope.step(e, now, "Fp.fma_comm", a, b, c)
        if a.op == "neg":
            signed = mk("fma_rn", mk("neg", b), bare_a, c)
            proof = scope.trans(e, proof, now, scope.step(now, signed, "Fp.fma_neg_swap", b, bare_a, c), signed)
            now = signed
    x, power, _ = now.args
    after = mk("add_rn", mk("mul_rn", x, power), c)
    last = scope.trans(e, proof, now, scope.step(now, after, "F32.fma_shl", x, c, power.args[0].args[0], "rfl"), after)
    return None if last is None else (after, last)


def _is_exponent(e: Expr) -> bool:
    return e.op == "of_bits" and e.args[0].op == "shl_b32" and e.args[0].args[1].is_const and e.args[0].args[1].value == 23


PLAIN = (negative_factor, reciprocal, scalings, sum_signs, fma_self, fma_exponent)
CONDITIONAL = (exact, scale_swap)


def rewrite(scope: Scope, e: Expr, simplify: Simplify) -> Rewrite:
    """The first of these rules that applies."""
    for plain in PLAIN:
        found = plain(scope, e)
        if found is not None:
            return found
    for conditional in CONDITIONAL:
        found = conditional(scope, e, simplify)
        if found is not None:
            return found
    return None
