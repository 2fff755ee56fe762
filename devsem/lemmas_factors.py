"""The pool's rows about exact factors, and about tests whose meaning is another test: limits of the range, flushed values, patterns."""

from __future__ import annotations

from collections.abc import Iterable

from devsem.expr import bits, mk
from devsem.lemma import FALSE, INF, MAX_NEG_NORMAL, MIN_NORMAL, NINF, ONE, ZERO, A, B, C, D, E, Lemma, fun, holds

ADD, MUL, FMA, NEG, ABS, FTZ, POS_ZERO = map(fun, ("add_rn", "mul_rn", "fma_rn", "neg", "abs", "ftz", "pos_zero"))
LT, LE, EQ, SAME, AND, OR, NOT, IS_NAN, IS_FINITE = map(fun, ("lt", "le", "eq", "same", "and", "or", "not", "is_nan", "is_finite"))
LARGEST, NEG_LARGEST = bits(0x7F7FFFFF), bits(0xFF7FFFFF)


def exact() -> Iterable[Lemma]:
    """A product with a power of two that loses nothing: joined with another factor, moved to the other factor, fused with a sum. Any, fused with itself."""
    up, down = holds(IS_FINITE(MUL(A, C))), holds(LE(B, ABS(A)))
    scale, shrink, product = ("Fp.isScale", (C,)), ("Fp.isShrink", (C, B)), ("Fp.isProduct", (C, D, E))
    yield Lemma(lean="Fp.mul_mul_scale_of_finite", lhs=MUL(MUL(A, C), D), rhs=MUL(A, E), given=(up,), closed=(scale, product), use="interval")
    yield Lemma(lean="Fp.mul_mul_shrink", lhs=MUL(MUL(A, C), D), rhs=MUL(A, E), given=(down,), closed=(shrink, product), use="interval")
    yield Lemma(lean="Fp.fma_scale", lhs=FMA(A, C, D), rhs=ADD(MUL(A, C), D), given=(up,), closed=(scale,), use="interval")
    yield Lemma(lean="Fp.fma_shrink", lhs=FMA(A, C, D), rhs=ADD(MUL(A, C), D), given=(down,), closed=(shrink,), use="interval")
    other = holds(IS_FINITE(MUL(B, C)))
    yield Lemma(lean="Fp.mul_scale_swap", lhs=MUL(MUL(A, C), B), rhs=MUL(A, MUL(B, C)), given=(up, other), closed=(scale,), use="interval")
    rounded = MUL(A, B)
    yield Lemma(lean="Fp.fma_mul_self", lhs=FMA(A, B, rounded), rhs=ADD(rounded, rounded))
    yield Lemma(lean="Fp.fma_neg_mul_self", lhs=FMA(NEG(A), B, NEG(rounded)), rhs=ADD(NEG(rounded), NEG(rounded)))


def opposites() -> Iterable[Lemma]:
    """Opposites in equalities, sums under an absolute value or a square, fused products."""
    yield Lemma(lean="Fp.eq_neg_left", lhs=EQ(NEG(A), B), rhs=EQ(A, NEG(B)), use="class")
    yield Lemma(lean="Fp.abs_eq", lhs=EQ(ABS(A), B), rhs=AND(AND(LE(A, B), LE(NEG(B), A)), OR(LE(B, A), LE(A, NEG(B)))), use="class")
    yield Lemma(lean="Fp.abs_add_neg_left", lhs=ABS(ADD(NEG(A), B)), rhs=ABS(ADD(A, NEG(B))), use="class")
    turned, other = ADD(NEG(A), B), ADD(A, NEG(B))
    yield Lemma(lean="Fp.mul_self_add_neg_left", lhs=MUL(turned, turned), rhs=MUL(other, other), use="class")
    yield Lemma(lean="Fp.posZero_neg_fma", lhs=POS_ZERO(NEG(FMA(A, B, C))), rhs=POS_ZERO(FMA(NEG(A), B, NEG(C))))
    yield Lemma(lean="F32.sat_eq", lhs=mk("sat", A), rhs=mk("min_num", mk("max_num", A, ZERO), ONE))


def limits() -> Iterable[Lemma]:
    """Comparisons with the largest number and with infinity; a flushed value and zero; a whole number and the value; the sign of a sum that may be NaN."""
    yield Lemma(lean="F32.inf_le", lhs=LE(INF, A), rhs=EQ(A, INF))
    yield Lemma(lean="F32.le_negInf", lhs=LE(A, NINF), rhs=EQ(A, NINF))
    yield Lemma(lean="F32.largest_lt", lhs=LT(LARGEST, A), rhs=EQ(A, INF))
    yield Lemma(lean="F32.le_largest", lhs=LE(A, LARGEST), rhs=LT(A, INF))
    yield Lemma(lean="F32.lt_negLargest", lhs=LT(A, NEG_LARGEST), rhs=EQ(A, NINF))
    yield Lemma(lean="F32.negLargest_le", lhs=LE(NEG_LARGEST, A), rhs=LT(NINF, A))
    yield Lemma(lean="F32.zero_lt_ftz", lhs=LT(ZERO, FTZ(A)), rhs=LE(MIN_NORMAL, A))
    yield Lemma(lean="F32.ftz_lt_zero", lhs=LT(FTZ(A), ZERO), rhs=LE(A, MAX_NEG_NORMAL))
    yield Lemma(lean="F32.zero_le_ftz", lhs=LE(ZERO, FTZ(A)), rhs=LT(MAX_NEG_NORMAL, A))
    yield Lemma(lean="F32.ftz_le_zero", lhs=LE(FTZ(A), ZERO), rhs=LT(A, MIN_NORMAL))
    small = LT(A, MIN_NORMAL), LT(MAX_NEG_NORMAL, A)
    yield Lemma(lean="F32.eq_ftz_zero", lhs=EQ(FTZ(A), ZERO), rhs=AND(*small))
    yield Lemma(lean="F32.ftz_eq_mul_zero", lhs=FTZ(A), rhs=MUL(A, ZERO), given=tuple(map(holds, small)))
    yield Lemma(lean="Fp.lt_floor", lhs=LT(A, mk("floor", A)), rhs=FALSE)
    yield Lemma(lean="Fp.ceil_lt", lhs=LT(mk("ceil", A), A), rhs=FALSE)
    yield Lemma(lean="F32.isNan_mul_zero", lhs=IS_NAN(MUL(A, ZERO)), rhs=NOT(IS_FINITE(A)))
    yield Lemma(lean="F32.eq_mul_zero_zero", lhs=EQ(MUL(A, ZERO), ZERO), rhs=IS_FINITE(A))
    yield Lemma(lean="F32.same_eq", lhs=SAME(A, B), rhs=EQ(A, B), closed=(("Fp.isNonzero", (B,)),))
    total = ADD(A, B)
    number = NOT(IS_NAN(total))
    yield Lemma(lean="F32.zero_le_add_eq", lhs=LE(ZERO, total), rhs=AND(number, LE(NEG(B), A)))
    yield Lemma(lean="F32.add_le_zero_eq", lhs=LE(total, ZERO), rhs=AND(number, LE(A, NEG(B))))
    yield Lemma(lean="F32.add_eq_zero_eq", lhs=EQ(total, ZERO), rhs=AND(number, EQ(A, NEG(B))))
