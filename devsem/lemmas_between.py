"""The pool's rows about values that are known only to lie between two ends: through each operation, and what two such values decide.

`within(l, x, h)` says that `x` is a number, at least `l` and at most `h`. What is asked of the ends is a closed test of
`FloatLib/Op/Between.lean`. `WITHIN` gives for each operation its lemma; `between.py` applies them by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from devsem.expr import Expr, mk
from devsem.lemma import FALSE, NAN, TRUE, A, B, C, D, E, H, L, Lemma, P, R, X, Y, Z
from devsem.ops import OPS

INTERVALS = ((A, B, X), (C, D, Y), (E, R, Z))
# the operation, its lemma, and the test on the ends
WITHIN: Mapping[str, tuple[str, str]] = {
    "add_rn": ("F32.within_add", "Fp.addEnds"), "sub_rn": ("F32.within_sub", "Fp.subEnds"), "mul_rn": ("F32.within_mul", "Fp.mulEnds"),
    "fma_rn": ("F32.within_fma", "Fp.fmaEnds"), "div_rn": ("F32.within_div", "Fp.divEnds"), "sqrt_rn": ("F32.within_sqrt", "Fp.sqrtEnds"),
    "neg": ("F32.within_neg", "Fp.negEnds"), "abs": ("F32.within_abs", "Fp.absEnds"), "ftz": ("F32.within_ftz", "Fp.ftzEnds"),
    "min_num": ("F32.within_minNum", "Fp.minEnds"), "max_num": ("F32.within_maxNum", "Fp.maxEnds"),
    "min_nan": ("F32.within_minNan", "Fp.minEnds"), "max_nan": ("F32.within_maxNan", "Fp.maxEnds"),
}
BY_NEGATIVE = ("F32.within_div_neg", "Fp.divEndsNeg")  # a quotient by a negative value


def within(low: Expr, x: Expr, high: Expr) -> Expr:
    """The condition that `x` is a number from `low` to `high`."""
    return mk("and", mk("le", low, x), mk("le", x, high))


def _through(op: str, lean: str, test: str) -> Lemma:
    """The result lies between `l` and `h` if the operands lie between their ends and the test holds."""
    n = len(OPS[op].args)
    given = tuple((within(low, x, high), TRUE) for low, high, x in INTERVALS[:n])
    ends = tuple(e for low, high, _ in INTERVALS[:n] for e in (low, high))
    result = mk(op, *(x for _, _, x in INTERVALS[:n]))
    return Lemma(lean=lean, lhs=within(L, result, H), rhs=TRUE, given=given, closed=((test, (*ends, L, H)),), use="interval")


def through() -> Iterable[Lemma]:
    """Operations, wider ends, and choices between two such values."""
    for op, (lean, test) in WITHIN.items():
        yield _through(op, lean, test)
    yield _through("div_rn", *BY_NEGATIVE)
    yield Lemma(lean="F32.within_posZero", lhs=within(A, mk("pos_zero", X), B), rhs=TRUE, given=((within(A, X, B), TRUE),), use="interval")
    yield Lemma(lean="F32.within_wider", lhs=within(L, X, H), rhs=TRUE, given=((within(A, X, B), TRUE),), closed=(("Fp.wider", (A, B, L, H)),), use="interval")
    yield Lemma(lean="F32.within_of_eq", lhs=within(L, X, H), rhs=TRUE, given=((X, Y), (within(L, Y, H), TRUE)), use="interval")
    both = ((within(L, X, H), TRUE), (within(L, Y, H), TRUE))
    yield Lemma(lean="F32.within_cond", lhs=within(L, mk("select", P, X, Y), H), rhs=TRUE, given=both, use="interval")
    yield Lemma(lean="Fp.ftz_le_ftz", lhs=mk("le", mk("ftz", A), mk("ftz", B)), rhs=TRUE, given=((mk("le", A, B), TRUE),), use="interval")
    turned = within(mk("neg", B), mk("neg", X), mk("neg", A))
    yield Lemma(lean="F32.within_opposite", lhs=turned, rhs=TRUE, given=((within(A, X, B), TRUE),), use="interval")


def decided() -> Iterable[Lemma]:
    """Comparisons of two such values, and whether their patterns differ."""
    x, both = (within(A, X, B), TRUE), ((within(A, X, B), TRUE), (within(C, Y, D), TRUE))
    yield Lemma(lean="F32.eq_of_within", lhs=X, rhs=C, given=((within(C, X, C), TRUE),), closed=(("Fp.isNonzero", (C,)),), use="interval")
    yield Lemma(lean="F32.notNan_of_within", lhs=mk("is_nan", X), rhs=FALSE, given=(x,), use="interval")
    for lean, op, value, test, ends in (
        ("lt_of_within", "lt", TRUE, "Fp.lt", (B, C)), ("le_of_within", "le", TRUE, "Fp.le", (B, C)),
        ("not_lt_of_within", "lt", FALSE, "Fp.le", (D, A)), ("not_le_of_within", "le", FALSE, "Fp.lt", (D, A)),
        ("not_eq_of_within", "eq", FALSE, "Fp.apart", (A, B, C, D)), ("not_same_of_within", "same", FALSE, "Fp.apart", (A, B, C, D)),
    ):
        yield Lemma(lean=f"F32.{lean}", lhs=mk(op, X, Y), rhs=value, given=both, closed=((test, ends),), use="interval")
    yield Lemma(lean="F32.not_same_nan", lhs=mk("same", X, Y), rhs=FALSE, given=(x, (mk("is_nan", Y), TRUE)), use="interval")
    yield Lemma(lean="F32.nan_not_same", lhs=mk("same", X, Y), rhs=FALSE, given=((within(A, Y, B), TRUE), (mk("is_nan", X), TRUE)), use="interval")
    invalid = (mk("is_nan", mk("mul_rn", A, B)), TRUE)
    yield Lemma(lean="Fp.fma_of_invalid", lhs=mk("fma_rn", A, B, C), rhs=NAN, given=(invalid,), use="interval")
    tiny = ((within(C, Y, D), TRUE),)
    for op in ("same", "eq"):
        yield Lemma(lean=f"F32.ftz_not_{op}", lhs=mk(op, mk("ftz", X), Y), rhs=FALSE, given=tiny, closed=(("Fp.tinyEnds", (C, D)),), use="interval")
