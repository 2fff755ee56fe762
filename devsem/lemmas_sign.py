"""The pool's rows about signs, zeros and ones in arithmetic."""

from __future__ import annotations

from collections.abc import Iterable

from devsem.expr import const, mk
from devsem.lemma import INF, MIN_MAX, NZERO, ONE, TWO, ZERO, A, B, C, Lemma, fails, fun, holds, number

ADD, SUB, MUL, DIV, FMA = map(fun, ("add_rn", "sub_rn", "mul_rn", "div_rn", "fma_rn"))
NEG, ABS, POS_ZERO, LT, LE, EQ = map(fun, ("neg", "abs", "pos_zero", "lt", "le", "eq"))
MINUS_ONE = const(-1.0)
FINITE, NOT_ZERO = holds(mk("is_finite", A)), fails(EQ(A, ZERO))


def signs() -> Iterable[Lemma]:
    """The sign moves outward through products and quotients, inward through minima and maxima; through sums only with zero's sign aside."""
    yield Lemma(lean="Fp.neg_neg", lhs=NEG(NEG(A)), rhs=A)
    yield Lemma(lean="Fp.abs_neg", lhs=ABS(NEG(A)), rhs=ABS(A))
    yield Lemma(lean="Fp.abs_abs", lhs=ABS(ABS(A)), rhs=ABS(A))
    yield Lemma(lean="Fp.sub_eq_add_neg", lhs=SUB(A, B), rhs=ADD(A, NEG(B)))
    for op, lean in (("mul_rn", "mul"), ("div_rn", "div")):
        yield Lemma(lean=f"Fp.{lean}_neg_left", lhs=mk(op, NEG(A), B), rhs=NEG(mk(op, A, B)))
        yield Lemma(lean=f"Fp.{lean}_neg_right", lhs=mk(op, A, NEG(B)), rhs=NEG(mk(op, A, B)))
        yield Lemma(lean=f"Fp.abs_{lean}", lhs=ABS(mk(op, A, B)), rhs=mk(op, ABS(A), ABS(B)))
        yield Lemma(lean=f"Fp.{lean}_abs_self", lhs=mk(op, ABS(A), ABS(A)), rhs=mk(op, A, A))
    yield Lemma(lean="Fp.fma_neg_neg", lhs=FMA(NEG(A), NEG(B), C), rhs=FMA(A, B, C))
    yield Lemma(lean="Fp.fma_neg_swap", lhs=FMA(A, NEG(B), C), rhs=FMA(NEG(A), B, C))
    yield Lemma(lean="Fp.fma_abs_self", lhs=FMA(ABS(A), ABS(A), B), rhs=FMA(A, A, B))
    dual = {"min": "max", "max": "min"}
    for op, lean in MIN_MAX:
        yield Lemma(lean=f"Fp.neg_{lean}", lhs=NEG(mk(op, A, B)), rhs=mk(dual[op[:3]] + op[3:], NEG(A), NEG(B)))


def ones() -> Iterable[Lemma]:
    """The constants 1, -1 and 2, and reciprocals."""
    yield Lemma(lean="F32.add_self", lhs=ADD(A, A), rhs=MUL(A, TWO))
    yield Lemma(lean="Fp.div_eq_mul", lhs=DIV(A, B), rhs=MUL(A, C), closed=(("Fp.isRecip", (B, C)),), use="class")
    yield Lemma(lean="F32.mul_one", lhs=MUL(A, ONE), rhs=A)
    yield Lemma(lean="F32.div_one", lhs=DIV(A, ONE), rhs=A)
    yield Lemma(lean="F32.fma_one", lhs=FMA(A, ONE, C), rhs=ADD(A, C))
    yield Lemma(lean="F32.mul_negOne", lhs=MUL(A, MINUS_ONE), rhs=NEG(A))
    yield Lemma(lean="F32.div_negOne", lhs=DIV(A, MINUS_ONE), rhs=NEG(A))
    yield Lemma(lean="F32.fma_negOne", lhs=FMA(A, MINUS_ONE, C), rhs=ADD(NEG(A), C))
    yield Lemma(lean="F32.fma_two", lhs=FMA(A, TWO, C), rhs=ADD(MUL(A, TWO), C), given=(holds(mk("is_finite", MUL(A, TWO))),))
    yield Lemma(lean="F32.div_self", lhs=DIV(A, A), rhs=ONE, given=(FINITE, NOT_ZERO))


def zeros() -> Iterable[Lemma]:
    """Sums with a zero, and sums that are one."""
    yield Lemma(lean="F32.add_negZero", lhs=ADD(A, NZERO), rhs=A)
    yield Lemma(lean="F32.fma_negZero", lhs=FMA(A, B, NZERO), rhs=MUL(A, B))
    yield Lemma(lean="F32.sub_zero", lhs=SUB(A, ZERO), rhs=A, use="class")
    yield Lemma(lean="F32.add_zero_of_ne", lhs=ADD(A, ZERO), rhs=A, given=(NOT_ZERO,))
    yield Lemma(lean="F32.add_neg_self", lhs=ADD(A, NEG(A)), rhs=ZERO, given=(FINITE,))
    yield Lemma(lean="F32.neg_add_self", lhs=ADD(NEG(A), A), rhs=ZERO, given=(FINITE,))
    yield Lemma(lean="F32.sub_self", lhs=SUB(A, A), rhs=ZERO, given=(FINITE,), use="class")


def zero_aside() -> Iterable[Lemma]:
    """What holds with the sign of zero aside."""
    yield Lemma(lean="Fp.posZero_posZero", lhs=POS_ZERO(POS_ZERO(A)), rhs=POS_ZERO(A))
    yield Lemma(lean="Fp.posZero_neg_add", lhs=POS_ZERO(NEG(ADD(A, B))), rhs=POS_ZERO(ADD(NEG(A), NEG(B))))
    yield Lemma(lean="F32.posZero_add_zero", lhs=POS_ZERO(ADD(A, ZERO)), rhs=POS_ZERO(A))
    yield Lemma(lean="F32.posZero_mul_zero", lhs=POS_ZERO(MUL(A, ZERO)), rhs=ZERO, given=(FINITE,))
    yield Lemma(lean="F32.posZero_of_pos", lhs=POS_ZERO(A), rhs=A, given=(holds(LT(ZERO, A)),))
    yield Lemma(lean="F32.posZero_of_neg", lhs=POS_ZERO(A), rhs=A, given=(holds(LT(A, ZERO)),))
    yield Lemma(lean="F32.posZero_of_ne", lhs=POS_ZERO(A), rhs=A, given=(NOT_ZERO,))
    yield Lemma(lean="Fp.posZero_abs", lhs=POS_ZERO(ABS(A)), rhs=ABS(A))
    yield Lemma(lean="Fp.abs_posZero", lhs=ABS(POS_ZERO(A)), rhs=ABS(A))
    yield Lemma(lean="Fp.posZero_neg_posZero", lhs=POS_ZERO(NEG(POS_ZERO(A))), rhs=POS_ZERO(NEG(A)))
    yield Lemma(lean="F32.posZero_abs_of_nonneg", lhs=POS_ZERO(ABS(A)), rhs=POS_ZERO(A), given=(holds(LE(ZERO, A)),), use="class")
    yield Lemma(lean="F32.posZero_abs_of_nonpos", lhs=POS_ZERO(ABS(A)), rhs=POS_ZERO(NEG(A)), given=(holds(LE(A, ZERO)),), use="class")
    yield Lemma(lean="F32.posZero_fma_zero", lhs=POS_ZERO(FMA(A, B, ZERO)), rhs=POS_ZERO(MUL(A, B)))
    yield Lemma(lean="F32.posZero_fma_mul_zero", lhs=POS_ZERO(FMA(A, ZERO, C)), rhs=POS_ZERO(C), given=(FINITE,))
    yield Lemma(lean="F32.posZero_div_inf", lhs=POS_ZERO(DIV(A, INF)), rhs=ZERO, given=(FINITE,))
    yield Lemma(lean="F32.posZero_zero_div", lhs=POS_ZERO(DIV(ZERO, A)), rhs=ZERO, given=(number(A), NOT_ZERO))
    for op in ("lt", "le", "eq"):
        yield Lemma(lean=f"Fp.posZero_{op}", lhs=mk(op, POS_ZERO(A), B), rhs=mk(op, A, B))
        yield Lemma(lean=f"Fp.{op}_posZero", lhs=mk(op, A, POS_ZERO(B)), rhs=mk(op, A, B))
    for op, lean in MIN_MAX:
        yield Lemma(lean=f"Fp.posZero_{lean}", lhs=POS_ZERO(mk(op, A, B)), rhs=mk(op, POS_ZERO(A), POS_ZERO(B)), use="class")
