"""Rewrite an expression under a branch's facts, with a proof: closed evaluation, known conditions, oriented lemmas, one order of arguments.

Every rule returns the new expression and the step that proves the equation; Lean checks each. Rules go bottom-up and are memoised
per scope. The order of commutative arguments is by a digest of their structure, so the result does not depend on history.
"""

from __future__ import annotations

import hashlib
import struct
from fractions import Fraction

from devsem import interval
from devsem.expr import CONST, VAR, Expr, bits, mk
from devsem.lemmas import COMMUTE, LEMMAS, NAN, ONE, REWRITES, Lemma
from devsem.order import decide
from devsem.scope import FALSE, TRUE, Proof, Scope, evaluate_closed, instantiate, is_atom, match, truth
from devsem.term import Argument, Function, Use

HALF = 0x3F000000
TAME = 0x0D800000, 0x71800000    # 2^-100 and 2^100, well within what `Fp.isTame` admits
Rewrite = tuple[Expr, str] | None
_digests: dict[Expr, bytes] = {}


def digest(e: Expr) -> bytes:
    """A stable name for an expression's structure; constants come last in the order of arguments."""
    found = _digests.get(e)
    if found is None:
        text = f"{e.op}|{e.sort}|{e.value}|{e.name}|".encode()
        found = bytes([e.op == CONST]) + hashlib.blake2b(text + b"".join(map(digest, e.args)), digest_size=12).digest()
        _digests[e] = found
    return found


def simplify(scope: Scope, e: Expr) -> tuple[Expr, Proof]:
    """The normal form and a proof of `e = normal form` (None when it is `e` itself)."""
    hit = scope.memo.get(e)
    if hit is not None:
        return hit
    scope.budget.spend()
    if e.op == "select":
        result = _select(scope, e)
    else:
        parts = [simplify(scope, a) for a in e.args]
        now = mk(e.op, *(a for a, _ in parts)) if e.args else e
        result = _finish(scope, e, now, scope.congr(e, now, [p for _, p in parts]) if e.args else None)
    scope.memo[e] = scope.memo[result[0]] = result
    scope.memo[result[0]] = (result[0], None)
    return result


def _finish(scope: Scope, e: Expr, now: Expr, proof: Proof) -> tuple[Expr, Proof]:
    """Apply rules at the root of `now`, whose arguments are in normal form."""
    step = _rule(scope, now)
    if step is None:
        return now, proof
    after, reason = step
    proof = scope.trans(e, proof, now, reason, after)
    last, rest = simplify(scope, after)
    return last, scope.trans(e, proof, after, rest, last)


def _select(scope: Scope, e: Expr) -> tuple[Expr, Proof]:
    """Look at the condition first: a branch that is not taken is never looked at."""
    condition, a, b = e.args
    known, proof = simplify(scope, condition)
    if known.is_const:
        chosen = a if known is TRUE else b
        lemma = "cond_of_true" if known is TRUE else "cond_of_false"
        why = scope.step(e, chosen, lemma, Use(proof) if proof else "rfl", a, b)  # by rfl alone the kernel would unfold both results
        last, rest = simplify(scope, chosen)
        return last, scope.trans(e, why, chosen, rest, last)
    left, right = simplify(scope, a), simplify(scope, b)
    now = mk("select", known, left[0], right[0])
    return _finish(scope, e, now, scope.congr(e, now, (proof, left[1], right[1])))


def _rule(scope: Scope, e: Expr) -> Rewrite:
    if e.op in (CONST,):
        return None
    for rule in RULES:
        found = rule(scope, e)
        if found is not None:
            return found
    if not is_atom(e) or e.op == VAR:
        return None
    return decide(scope, e) or interval.decide(scope, e, simplify)


def _known(scope: Scope, e: Expr) -> Rewrite:
    """A condition whose value the branch knows; a term that the branch knows to be a constant."""
    fact = scope.facts.get(e)
    if fact is not None:
        return truth(fact[0]), fact[1]
    if e.op in scope.agrees:
        row, hypothesis = scope.agrees[e.op]
        after = mk(row, *e.args)
        return after, scope.step(e, after, hypothesis, *e.args)
    return scope.equals.get(e)


def _closed(scope: Scope, e: Expr) -> Rewrite:
    value = evaluate_closed(e)
    return None if value is None else (value, scope.refl(e, value))


BOOLEAN = {  # (operation, which argument, its value): the result (None: the other argument) and the lemma
    ("and", 0, TRUE): (None, "Bool.true_and"), ("and", 1, TRUE): (None, "Bool.and_true"),
    ("and", 0, FALSE): (FALSE, "Bool.false_and"), ("and", 1, FALSE): (FALSE, "Bool.and_false"),
    ("or", 0, FALSE): (None, "Bool.false_or"), ("or", 1, FALSE): (None, "Bool.or_false"),
    ("or", 0, TRUE): (TRUE, "Bool.true_or"), ("or", 1, TRUE): (TRUE, "Bool.or_true"),
    ("xor", 0, FALSE): (None, "Bool.false_xor"), ("xor", 1, FALSE): (None, "Bool.xor_false"),
}


def _boolean(scope: Scope, e: Expr) -> Rewrite:
    if e.op == "not" and e.args[0].op == "not":
        inner = e.args[0].args[0]
        return inner, scope.step(e, inner, "Bool.not_not", inner)
    if e.op == "select_bool" and e.args[0].is_const:
        chosen = e.args[1] if e.args[0] is TRUE else e.args[2]
        return chosen, scope.step(e, chosen, "cond_of_true" if e.args[0] is TRUE else "cond_of_false", "rfl", e.args[1], e.args[2])
    if e.op in ("and", "or") and e.args[0] is e.args[1]:
        return e.args[0], scope.step(e, e.args[0], f"Bool.{e.op}_self", e.args[0])
    for at in (0, 1):
        row = BOOLEAN.get((e.op, at, e.args[at])) if len(e.args) == 2 else None
        if row is not None:
            other = e.args[1 - at]
            result = other if row[0] is None else row[0]
            return result, scope.step(e, result, row[1], other)
    return None


def _choice(scope: Scope, e: Expr) -> Rewrite:
    if e.op != "select":
        return None
    condition, a, b = e.args
    if a is b:
        return a, scope.step(e, a, "cond_same", a, condition)
    if condition.op == "not":
        after = mk("select", condition.args[0], b, a)
        return after, scope.step(e, after, "cond_not", a, b, condition.args[0])
    return None


def _fma_signs(scope: Scope, e: Expr) -> Rewrite:
    """At most one negated factor, the first; the factors in order of their digests, signs aside."""
    if e.op != "fma_rn":
        return None
    a, b, c = e.args
    bare_a, bare_b = (x.args[0] if x.op == "neg" else x for x in (a, b))
    if a.op == b.op == "neg":
        after = mk("fma_rn", bare_a, bare_b, c)
        return after, scope.step(e, after, "Fp.fma_neg_neg", bare_a, bare_b, c)
    if digest(bare_b) < digest(bare_a):
        after = mk("fma_rn", b, a, c)
        return after, scope.step(e, after, "Fp.fma_comm", a, b, c)
    if b.op == "neg":
        after = mk("fma_rn", mk("neg", a), bare_b, c)
        return after, scope.step(e, after, "Fp.fma_neg_swap", a, bare_b, c)
    return None


def _commute(scope: Scope, e: Expr) -> Rewrite:
    lemma = COMMUTE.get(e.op)
    if lemma is None or e.op == "fma_rn" or digest(e.args[0]) <= digest(e.args[1]):
        return None
    after = mk(e.op, e.args[1], e.args[0])
    return after, scope.step(e, after, lemma.lean, *e.args)


def use_lemma(scope: Scope, lemma: Lemma, e: Expr) -> Rewrite:
    """Apply a registered lemma left to right, if it matches and its conditions hold here."""
    env: dict[Expr, Expr] = {}
    if not match(lemma.lhs, e, env):
        return None
    proofs: list[Argument] = []
    for condition, value in lemma.given:
        known, proof = simplify(scope, instantiate(condition, env))
        if known is not value:
            return None
        proofs.append(Use(proof) if proof else "rfl")
    for test, args in lemma.closed:
        if not _holds(test, tuple(instantiate(a, env) for a in args)):
            return None
        proofs.append("rfl")
    after = instantiate(lemma.rhs, env)
    return after, scope.step(e, after, lemma.lean, *(env[v] for v in lemma.variables), *proofs)


def _holds(test: str, args: tuple[Expr, ...]) -> bool:
    """The closed tests of `FloatLib/Op/Class.lean`, on constants."""
    if not all(a.is_const for a in args):
        return False
    magnitude = [a.value & 0x7FFFFFFF for a in args]
    if test == "Fp.isBig":
        return 0x00800000 <= magnitude[0] <= 0x7F800000
    if test == "Fp.isNonzero":
        return 0 < magnitude[0] <= 0x7F800000
    if test == "Fp.isRecip":
        a, b = args
        exact = a.value & 0x7FFFFF == 0 and b.value & 0x7FFFFF == 0 and all(0x00800000 <= m < 0x7F800000 for m in magnitude)
        return exact and evaluate_closed(mk("mul_rn", a, b)) is ONE
    if test == "Fp.isScalings":
        c, d, e = args
        exact = max(magnitude) < 0x7F800000 and (c.value ^ d.value ^ e.value) >> 31 == 0 and real(c) * real(d) == real(e)
        up = magnitude[0] >= ONE.value and magnitude[0] & 0x7FFFFF == 0 and magnitude[1] >= ONE.value
        return exact and (up or magnitude[0] == magnitude[1] == HALF)
    if test == "Fp.isBare":
        return magnitude[0] & 0x7FFFFF == 0 or magnitude[0] > 0x7F800000
    if test == "Fp.isTame":
        return TAME[0] <= magnitude[0] <= TAME[1]
    if test == "Fp.isSucc":
        return all(0 < a.value < 0x7F800000 for a in args) and real(args[1]) == real(args[0]) + 1
    raise KeyError(test)


def real(e: Expr) -> Fraction:
    """A finite constant's worth."""
    return Fraction(struct.unpack("<f", struct.pack("<I", e.value))[0])


def _scalings(scope: Scope, e: Expr) -> Rewrite:
    """Two factors that are constants become one, where both scale up or both halve."""
    if e.op != "mul_rn" or e.args[0].op != "mul_rn" or not e.args[1].is_const or not e.args[0].args[1].is_const:
        return None
    a, c = e.args[0].args
    product = evaluate_closed(mk("mul_rn", c, e.args[1]))
    if product is None or not _holds("Fp.isScalings", (c, e.args[1], product)):
        return None
    after = mk("mul_rn", a, product)
    return after, scope.step(e, after, "Fp.mul_mul_scale", a, c, e.args[1], product, "rfl")


def _fma_self(scope: Scope, e: Expr) -> Rewrite:
    """`a * c + a`, rounded once, is `a * (c + 1)`."""
    if e.op != "fma_rn" or e.args[0] is not e.args[2] or not e.args[1].is_const:
        return None
    more = evaluate_closed(mk("add_rn", e.args[1], ONE))
    if more is None or not _holds("Fp.isSucc", (e.args[1], more)):
        return None
    after = mk("mul_rn", e.args[0], more)
    return after, scope.step(e, after, "Fp.fma_self_add", e.args[0], e.args[1], more, "rfl")


def _fma_exponent(scope: Scope, e: Expr) -> Rewrite:
    """A fused product with a word shifted into the exponent field, as `expf` ends: the product and then the sum."""
    if e.op != "fma_rn" or not e.args[2].is_const or not _holds("Fp.isTame", (e.args[2],)):
        return None
    a, b, c = e.args
    bare_a = a.args[0] if a.op == "neg" else a
    if not _is_exponent(b) and not _is_exponent(bare_a):
        return None
    proof: Proof = None
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


def _negative_factor(scope: Scope, e: Expr) -> Rewrite:
    """A negative constant factor or divisor is a positive one with the sign outside."""
    if e.op not in ("mul_rn", "div_rn") or not e.args[1].is_const or not 0x80000000 < e.args[1].value <= 0xFF800000:
        return None
    a, c = e.args
    positive = bits(c.value & 0x7FFFFFFF)
    after = mk("neg", mk(e.op, a, positive))
    return after, scope.step(e, after, f"Fp.{e.op[:3]}_neg_right", a, positive)


_by_shape: dict[tuple[str, ...], tuple[tuple[Lemma, ...], tuple[Lemma, ...]]] = {}


def _fitting(e: Expr) -> tuple[Lemma, ...]:
    """The pool's lemmas whose left side has the operations of `e`'s root and of its arguments, in the pool's order."""
    rows, shape = REWRITES.get(e.op, ()), (e.op, *(a.op for a in e.args))
    found = _by_shape.get(shape)
    if found is None or found[0] is not rows:
        found = rows, tuple(m for m in rows if all(p.op in (VAR, a) for p, a in zip(m.lhs.args, shape[1:], strict=True)))
        _by_shape[shape] = found
    return found[1]


def _rows(scope: Scope, e: Expr) -> Rewrite:
    for lemma in (*_fitting(e), *scope.extra.get(e.op, ())):
        found = use_lemma(scope, lemma, e)
        if found is not None:
            return found
    return None


def _reciprocal(scope: Scope, e: Expr) -> Rewrite:
    """Division by a power of two is multiplication by its reciprocal."""
    if e.op != "div_rn" or not e.args[1].is_const or e.args[1] is NAN:
        return None
    exponent = e.args[1].value >> 23 & 0xFF
    if e.args[1].value & 0x7FFFFF or not 1 <= 254 - exponent <= 254:
        return None
    reciprocal = bits(e.args[1].value & 0x80000000 | (254 - exponent) << 23)
    if not _holds("Fp.isRecip", (e.args[1], reciprocal)):
        return None
    after = mk("mul_rn", e.args[0], reciprocal)
    return after, scope.step(e, after, "Fp.div_eq_mul", e.args[0], e.args[1], reciprocal, "rfl")


def _comparison(scope: Scope, e: Expr) -> Rewrite:
    """Comparisons of a negation or an absolute value with a constant, as comparisons of the value itself."""
    if e.op not in ("lt", "le"):
        return None
    a, b = e.args
    for at, inner, other in ((0, a, b), (1, b, a)):
        if inner.op in ("neg", "abs") and other.is_const:
            name = f"{e.op}_{'neg_left' if at == 0 else 'neg_right'}" if inner.op == "neg" else (f"abs_{e.op}" if at == 0 else f"{e.op}_abs")
            lemma = LEMMAS[f"Fp.{name}"]
            env: dict[Expr, Expr] = {}
            if match(lemma.lhs, e, env):
                after = instantiate(lemma.rhs, env)
                return after, scope.step(e, after, lemma.lean, *(env[v] for v in lemma.variables))
    return None


def flushed(scope: Scope, e: Expr) -> str | None:
    """A step `ftz e = e`, when the form of `e` shows it."""
    claim = mk("ftz", e)
    if e.is_const:
        return scope.refl(claim, e) if evaluate_closed(claim) is e else None
    if e.op == "ftz":
        return scope.step(claim, e, "Fp.ftz_ftz", e.args[0])
    if e.op in ("min_num", "max_num", "min_nan", "max_nan"):
        parts, lemma = e.args, "Fp.ftz_" + {"min_num": "minNum", "max_num": "maxNum", "min_nan": "minNan", "max_nan": "maxNan"}[e.op]
        order = e.args
    elif e.op == "select":
        parts, lemma = e.args[1:], "Fp.ftz_cond"
        order = (e.args[1], e.args[2], e.args[0])
    else:
        return None
    proofs = [flushed(scope, p) for p in parts]
    if not all(proofs):
        return None
    return scope.step(claim, e, lemma, *order, *(Use(p) for p in proofs if p))


def _flushed(scope: Scope, e: Expr) -> Rewrite:
    if e.op != "ftz":
        return None
    proof = flushed(scope, e.args[0])
    return None if proof is None else (e.args[0], proof)


def _pos_zero(scope: Scope, e: Expr) -> Rewrite:
    """The choice moves out of `pos_zero`."""
    if e.op != "pos_zero" or e.args[0].op != "select":
        return None
    condition, a, b = e.args[0].args
    after = mk("select", condition, mk("pos_zero", a), mk("pos_zero", b))
    return after, scope.step(e, after, "apply_cond", Function("pos_zero"), a, b, condition)


RULES = (_known, _closed, _boolean, _choice, _fma_signs, _commute, _negative_factor, _rows,
         _reciprocal, _scalings, _fma_self, _fma_exponent, _comparison, _flushed, _pos_zero)
