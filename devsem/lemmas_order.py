"""The pool's rows about order: comparisons, what follows from them, and which of them are others."""

from __future__ import annotations

from collections.abc import Iterable

from devsem.expr import mk
from devsem.lemma import FALSE, INF, NINF, NZERO, TRUE, ZERO, A, B, C, Lemma, fails, fun, holds, number

LT, LE, EQ, NEG, ABS, NOT, AND, OR, IS_NAN = map(fun, ("lt", "le", "eq", "neg", "abs", "not", "and", "or", "is_nan"))


def facts() -> Iterable[Lemma]:
    """Off NaN, `le` is a total preorder whose only ties are equal values and the two zeros; on NaN everything is false."""
    yield Lemma(lean="Fp.lt_irrefl", lhs=LT(A, A), rhs=FALSE)
    yield Lemma(lean="Fp.le_self", lhs=LE(A, A), rhs=NOT(IS_NAN(A)))
    yield Lemma(lean="Fp.eq_self", lhs=EQ(A, A), rhs=NOT(IS_NAN(A)))
    for lean, given, goal in (
        ("Fp.lt_trans", (holds(LT(A, B)), holds(LT(B, C))), holds(LT(A, C))),
        ("Fp.lt_of_lt_of_le", (holds(LT(A, B)), holds(LE(B, C))), holds(LT(A, C))),
        ("Fp.lt_of_le_of_lt", (holds(LE(A, B)), holds(LT(B, C))), holds(LT(A, C))),
        ("Fp.le_trans", (holds(LE(A, B)), holds(LE(B, C))), holds(LE(A, C))),
        ("Fp.lt_of_lt_of_eq", (holds(LT(A, B)), holds(EQ(B, C))), holds(LT(A, C))),
        ("Fp.lt_of_eq_of_lt", (holds(EQ(A, B)), holds(LT(B, C))), holds(LT(A, C))),
        ("Fp.lt_false_trans", (number(B), fails(LT(A, B)), fails(LT(B, C))), fails(LT(A, C))),
        ("Fp.le_of_lt", (holds(LT(A, B)),), holds(LE(A, B))),
        ("Fp.le_of_eq", (holds(EQ(A, B)),), holds(LE(A, B))),
        ("Fp.ge_of_eq", (holds(EQ(A, B)),), holds(LE(B, A))),
        ("Fp.lt_false_of_le", (holds(LE(B, A)),), fails(LT(A, B))),
        ("Fp.le_false_of_lt", (holds(LT(B, A)),), fails(LE(A, B))),
        ("Fp.eq_of_le_le", (holds(LE(A, B)), holds(LE(B, A))), holds(EQ(A, B))),
        ("Fp.eq_false_of_lt", (holds(LT(A, B)),), fails(EQ(A, B))),
        ("Fp.eq_false_of_gt", (holds(LT(B, A)),), fails(EQ(A, B))),
        ("Fp.le_of_not_lt", (number(A), number(B), fails(LT(A, B))), holds(LE(B, A))),
        ("Fp.lt_of_not_le", (number(A), number(B), fails(LE(A, B))), holds(LT(B, A))),
        *((f"Fp.notNan_{side}_of_{op}", (holds(mk(op, A, B)),), number(e)) for op in ("lt", "le", "eq") for side, e in (("left", A), ("right", B))),
        ("F32.le_inf", (number(A),), holds(LE(A, INF))), ("F32.negInf_le", (number(A),), holds(LE(NINF, A))),
        ("F32.zero_le_abs", (number(A),), holds(LE(ZERO, ABS(A)))),
    ):
        yield Lemma(lean=lean, lhs=goal[0], rhs=goal[1], given=given, use="order")
    yield Lemma(lean="Fp.eq_of_le_of_le", lhs=A, rhs=B, given=(holds(LE(A, B)), holds(LE(B, A))), closed=(("Fp.isNonzero", (B,)),), use="class")


def opposites() -> Iterable[Lemma]:
    """Comparisons of opposites and of absolute values; tests as comparisons."""
    for op in ("lt", "le"):
        yield Lemma(lean=f"Fp.{op}_neg_neg", lhs=mk(op, NEG(A), NEG(B)), rhs=mk(op, B, A))
    yield Lemma(lean="Fp.eq_neg_neg", lhs=EQ(NEG(A), NEG(B)), rhs=EQ(A, B))
    yield Lemma(lean="Fp.le_abs_self", lhs=LE(A, ABS(A)), rhs=NOT(IS_NAN(A)))
    yield Lemma(lean="Fp.neg_abs_le", lhs=LE(NEG(ABS(A)), A), rhs=NOT(IS_NAN(A)))
    yield Lemma(lean="Fp.abs_lt_self", lhs=LT(ABS(A), A), rhs=FALSE)
    yield Lemma(lean="F32.zero_le_abs_eq", lhs=LE(ZERO, ABS(A)), rhs=NOT(IS_NAN(A)))
    yield Lemma(lean="F32.abs_lt_zero", lhs=LT(ABS(A), ZERO), rhs=FALSE)
    yield Lemma(lean="F32.abs_le_zero", lhs=LE(ABS(A), ZERO), rhs=EQ(A, ZERO))
    yield Lemma(lean="F32.eq_abs_zero", lhs=EQ(ABS(A), ZERO), rhs=EQ(A, ZERO))
    yield Lemma(lean="F32.zero_lt_abs", lhs=LT(ZERO, ABS(A)), rhs=OR(LT(ZERO, A), LT(A, ZERO)))
    for op in ("lt", "le"):
        yield Lemma(lean=f"Fp.{op}_neg_left", lhs=mk(op, NEG(A), B), rhs=mk(op, NEG(B), A), use="class")
        yield Lemma(lean=f"Fp.{op}_neg_right", lhs=mk(op, A, NEG(B)), rhs=mk(op, B, NEG(A)), use="class")
        yield Lemma(lean=f"Fp.abs_{op}", lhs=mk(op, ABS(A), B), rhs=AND(mk(op, A, B), mk(op, NEG(B), A)), use="class")
        yield Lemma(lean=f"Fp.{op}_abs", lhs=mk(op, B, ABS(A)), rhs=OR(mk(op, B, A), mk(op, A, NEG(B))), use="class")
    yield Lemma(lean="F32.isInf_eq", lhs=mk("is_inf", A), rhs=OR(EQ(A, INF), EQ(A, NINF)))
    yield Lemma(lean="F32.isFinite_eq", lhs=mk("is_finite", A), rhs=AND(LT(NINF, A), LT(A, INF)))


def logic() -> Iterable[Lemma]:
    """Comparisons joined by Boolean operations; the comparisons that are true on NaN."""
    yield Lemma(lean="Fp.ltU_eq", lhs=mk("lt_u", A, B), rhs=NOT(LE(B, A)))
    yield Lemma(lean="Fp.leU_eq", lhs=mk("le_u", A, B), rhs=NOT(LT(B, A)))
    yield Lemma(lean="Fp.eqU_eq", lhs=mk("eq_u", A, B), rhs=OR(OR(IS_NAN(A), IS_NAN(B)), EQ(A, B)))
    yield Lemma(lean="Fp.le_and_ge", lhs=AND(LE(A, B), LE(B, A)), rhs=EQ(A, B))
    yield Lemma(lean="Fp.lt_and_gt", lhs=AND(LT(A, B), LT(B, A)), rhs=FALSE)
    yield Lemma(lean="Fp.lt_or_eq", lhs=OR(LT(A, B), EQ(A, B)), rhs=LE(A, B))
    yield Lemma(lean="Fp.lt_or_gt", lhs=OR(LT(A, B), LT(B, A)), rhs=NOT(EQ(A, B)), given=(number(A), number(B)))


def through_min_max() -> Iterable[Lemma]:
    """Comparisons with a minimum or maximum are comparisons with its arguments."""
    for op in ("lt", "le"):
        yield Lemma(lean=f"Fp.{op}_minNan", lhs=mk(op, C, mk("min_nan", A, B)), rhs=AND(mk(op, C, A), mk(op, C, B)))
        yield Lemma(lean=f"Fp.maxNan_{op}", lhs=mk(op, mk("max_nan", A, B), C), rhs=AND(mk(op, A, C), mk(op, B, C)))
        yield Lemma(lean=f"Fp.{op}_maxNum", lhs=mk(op, C, mk("max_num", A, B)), rhs=OR(mk(op, C, A), mk(op, C, B)))
        yield Lemma(lean=f"Fp.minNum_{op}", lhs=mk(op, mk("min_num", A, B), C), rhs=OR(mk(op, A, C), mk(op, B, C)))
    least, most = mk("min_num", A, B), mk("max_num", A, B)
    for op in ("lt", "le"):
        yield Lemma(lean=f"Fp.{op}_minNum_eq", lhs=mk(op, C, least), rhs=AND(mk(op, C, A), mk(op, C, B)), given=(number(A), number(B)))
        yield Lemma(lean=f"Fp.maxNum_{op}_eq", lhs=mk(op, most, C), rhs=AND(mk(op, A, C), mk(op, B, C)), given=(number(A), number(B)))
    for side, e in (("left", A), ("right", B)):
        yield Lemma(lean=f"Fp.minNum_le_{side}", lhs=LE(least, e), rhs=TRUE, given=(number(e),), use="order")
        yield Lemma(lean=f"Fp.le_maxNum_{side}", lhs=LE(e, most), rhs=TRUE, given=(number(e),), use="order")
    yield Lemma(lean="Fp.le_minNum", lhs=LE(C, least), rhs=TRUE, given=(holds(LE(C, A)), holds(LE(C, B))), use="order")
    yield Lemma(lean="Fp.maxNum_le", lhs=LE(most, C), rhs=TRUE, given=(holds(LE(A, C)), holds(LE(B, C))), use="order")


def infinities_and_zeros() -> Iterable[Lemma]:
    """Sums and products with an infinity, and products with zero, when an order fact says how they come out."""
    add, mul = fun("add_rn"), fun("mul_rn")
    above, below, is_finite = holds(LT(ZERO, A)), holds(LT(A, ZERO)), holds(mk("is_finite", A))
    yield Lemma(lean="F32.add_inf", lhs=add(A, INF), rhs=INF, given=(holds(LT(NINF, A)),))
    yield Lemma(lean="F32.add_negInf", lhs=add(A, NINF), rhs=NINF, given=(holds(LT(A, INF)),))
    yield Lemma(lean="F32.mul_inf_of_pos", lhs=mul(A, INF), rhs=INF, given=(above,))
    yield Lemma(lean="F32.mul_inf_of_neg", lhs=mul(A, INF), rhs=NINF, given=(below,))
    yield Lemma(lean="F32.mul_zero_of_pos", lhs=mul(A, ZERO), rhs=ZERO, given=(above, is_finite))
    yield Lemma(lean="F32.mul_zero_of_neg", lhs=mul(A, ZERO), rhs=NZERO, given=(below, is_finite))


def sums() -> Iterable[Lemma]:
    """However a sum rounds, it is below zero exactly when one term is below the other's opposite."""
    add = fun("add_rn")
    total = add(A, B)
    yield Lemma(lean="F32.add_lt_zero", lhs=LT(total, ZERO), rhs=LT(A, NEG(B)))
    yield Lemma(lean="F32.zero_lt_add", lhs=LT(ZERO, total), rhs=LT(NEG(B), A))
    yield Lemma(lean="F32.add_le_zero", lhs=LE(total, ZERO), rhs=LE(A, NEG(B)), given=(number(total),))
    yield Lemma(lean="F32.zero_le_add", lhs=LE(ZERO, total), rhs=LE(NEG(B), A), given=(number(total),))
    yield Lemma(lean="F32.add_eq_zero", lhs=EQ(total, ZERO), rhs=EQ(A, NEG(B)), given=(number(total),))
    yield Lemma(lean="F32.neg_add_of_ne", lhs=NEG(total), rhs=add(NEG(A), NEG(B)), given=(fails(EQ(A, NEG(B))),))
    yield Lemma(lean="Fp.not_lt", lhs=NOT(LT(A, B)), rhs=LE(B, A), given=(number(A), number(B)), use="order")
    yield Lemma(lean="Fp.notNan_left_of_add", lhs=IS_NAN(A), rhs=FALSE, given=(number(total),), use="order")
    yield Lemma(lean="Fp.notNan_right_of_add", lhs=IS_NAN(B), rhs=FALSE, given=(number(total),), use="order")


def monotone() -> Iterable[Lemma]:
    """Sums, products, quotients and roots keep the order, if their results are numbers; squares and roots are not negative."""
    add, mul, div, sqrt = map(fun, ("add_rn", "mul_rn", "div_rn", "sqrt_rn"))
    higher, nonneg, nonpos, positive = holds(LE(B, C)), holds(LE(ZERO, A)), holds(LE(A, ZERO)), holds(LT(ZERO, A))
    for lean, low, high, given in (
        ("Fp.add_le_add_left", add(A, B), add(A, C), (higher,)), ("Fp.add_le_add_right", add(B, A), add(C, A), (higher,)),
        ("F32.mul_le_mul_of_nonneg", mul(A, B), mul(A, C), (higher, nonneg)), ("F32.div_le_div_of_pos", div(B, A), div(C, A), (higher, positive)),
    ):
        yield Lemma(lean=lean, lhs=LE(low, high), rhs=TRUE, given=(*given, number(low), number(high)), use="order")
    low, high = mul(A, C), mul(A, B)
    yield Lemma(lean="F32.mul_le_mul_of_nonpos", lhs=LE(low, high), rhs=TRUE, given=(higher, nonpos, number(high), number(low)), use="order")
    yield Lemma(lean="F32.sqrt_le_sqrt", lhs=LE(sqrt(A), sqrt(B)), rhs=TRUE, given=(holds(LE(A, B)), nonneg), use="order")
    yield Lemma(lean="F32.zero_le_mul_self", lhs=LE(ZERO, mul(A, A)), rhs=NOT(IS_NAN(A)))
    yield Lemma(lean="F32.mul_self_lt_zero", lhs=LT(mul(A, A), ZERO), rhs=FALSE)
    yield Lemma(lean="F32.zero_le_sqrt", lhs=LE(ZERO, sqrt(A)), rhs=LE(ZERO, A))
    yield Lemma(lean="F32.sqrt_lt_zero", lhs=LT(sqrt(A), ZERO), rhs=FALSE)
