"""The pool's rows about bounds: how sums, products, quotients and roots lie when their operands are bounded, and when they are numbers."""

from __future__ import annotations

from collections.abc import Iterable

from devsem.expr import Expr, mk
from devsem.lemma import FALSE, ONE, TRUE, ZERO, A, B, C, D, E, Lemma, R, S, fun, holds, number

ADD, SUB, MUL, DIV, FMA, SQRT = map(fun, ("add_rn", "sub_rn", "mul_rn", "div_rn", "fma_rn", "sqrt_rn"))
LT, LE, EQ, OR, AND, IS_NAN, IS_INF, IS_FINITE = map(fun, ("lt", "le", "eq", "or", "and", "is_nan", "is_inf", "is_finite"))
Pair = tuple[Expr, Expr]


def scalings() -> Iterable[Lemma]:
    """Two constant factors joined into one; a number between two equal bounds."""
    yield Lemma(lean="Fp.mul_mul_scale", lhs=MUL(MUL(A, C), D), rhs=MUL(A, E), closed=(("Fp.isScalings", (C, D, E)),), use="interval")
    yield Lemma(lean="Fp.fma_self_add", lhs=FMA(A, C, A), rhs=MUL(A, D), closed=(("Fp.isSucc", (C, D)),), use="interval")
    yield Lemma(lean="Fp.fma_bare", lhs=FMA(A, B, C), rhs=ADD(MUL(A, B), C), closed=(("Fp.isBare", (B,)), ("Fp.isTame", (C,))))
    for lean, side in (("pos", LT(ZERO, B)), ("neg", LT(B, ZERO))):
        yield Lemma(lean=f"F32.eq_of_le_of_le_{lean}", lhs=A, rhs=B, given=(holds(LE(A, B)), holds(LE(B, A)), holds(side)), use="interval")


def _ordered(lean: str, low: Expr, high: Expr, *given: Pair) -> Lemma:
    """`low` is at most `high`."""
    return Lemma(lean=f"F32.{lean}", lhs=LE(low, high), rhs=TRUE, given=given, use="interval")


def bounds() -> Iterable[Lemma]:
    """Sums, differences, products, quotients, roots and fused sums between those of the operands' bounds."""
    yield from _sums()
    yield from _products()
    yield from _by_factor()
    yield from _quotients()
    yield from _fused()
    yield _ordered("sqrt_nonneg", ZERO, SQRT(A), number(SQRT(A)))


def _above(e: Expr) -> Pair:
    return holds(LE(ZERO, e))


def _below(e: Expr) -> Pair:
    return holds(LE(e, ZERO))


def _sums() -> Iterable[Lemma]:
    total = ADD(A, C)
    yield _ordered("add_le_of_le", total, ADD(B, D), holds(LE(A, B)), holds(LE(C, D)), number(total), number(ADD(B, D)))
    yield _ordered("sub_le_of_le", SUB(A, C), SUB(B, D), holds(LE(A, B)), holds(LE(D, C)), number(SUB(A, C)), number(SUB(B, D)))
    yield _ordered("add_nonneg", ZERO, total, _above(A), _above(C))
    yield _ordered("add_nonpos", total, ZERO, _below(A), _below(C))
    yield _ordered("le_add_of_nonneg", A, total, _above(C), number(total))
    yield _ordered("add_le_of_nonpos", total, A, _below(C), number(total))


def _products() -> Iterable[Lemma]:
    product, other = MUL(A, C), MUL(B, C)
    yield _ordered("mul_nonneg", ZERO, product, _above(A), _above(C), number(product))
    yield _ordered("mul_nonneg_of_nonpos", ZERO, product, _below(A), _below(C), number(product))
    yield _ordered("mul_nonpos_left", product, ZERO, _below(A), _above(C), number(product))
    yield _ordered("mul_nonpos_right", product, ZERO, _above(A), _below(C), number(product))
    yield _ordered("mul_self_nonneg", ZERO, MUL(A, A), number(A))
    least = (_above(A), holds(LE(A, B)), _above(C), holds(LE(C, D)))
    yield _ordered("mul_le_of_le_nonneg", product, MUL(B, D), *least, number(product), number(MUL(B, D)))
    yield _ordered("mul_le_of_le_left", product, other, holds(LE(A, B)), _above(C), number(product), number(other))
    yield _ordered("mul_le_of_ge_left", other, product, holds(LE(A, B)), _below(C), number(product), number(other))


def _by_factor() -> Iterable[Lemma]:
    """A product with a factor that is at most, or at least, 1 next to its other factor."""
    product = MUL(A, C)
    small, large = (holds(LE(C, ONE)), _above(C)), (holds(LE(ONE, C)),)
    yield _ordered("mul_le_self", product, A, _above(A), *small, number(product))
    yield _ordered("le_mul_self_of_nonpos", A, product, _below(A), *small, number(product))
    yield _ordered("le_mul_self", A, product, _above(A), *large, number(product))
    yield _ordered("mul_le_self_of_nonpos", product, A, _below(A), *large, number(product))


def _quotients() -> Iterable[Lemma]:
    quotient, positive = DIV(A, B), holds(LT(ZERO, B))
    yield _ordered("div_nonneg", ZERO, quotient, _above(A), positive, number(quotient))
    yield _ordered("div_nonpos", quotient, ZERO, _below(A), positive, number(quotient))
    low, high, same = DIV(A, C), DIV(B, D), DIV(B, C)
    yield _ordered("div_le_of_le_nonneg", low, high, _above(A), holds(LE(A, B)), holds(LT(ZERO, D)), holds(LE(D, C)), number(low), number(high))
    yield _ordered("div_le_of_le_left", low, same, holds(LE(A, B)), holds(LT(ZERO, C)), number(low), number(same))


def _fused() -> Iterable[Lemma]:
    finite, higher = holds(IS_FINITE(C)), holds(LE(R, S))
    low, high = FMA(A, C, R), FMA(B, C, S)
    yield _ordered("fma_le_of_le", low, high, holds(LE(A, B)), _above(C), finite, higher, number(low), number(high))
    low, high = FMA(B, C, R), FMA(A, C, S)
    yield _ordered("fma_le_of_ge", low, high, holds(LE(A, B)), _below(C), finite, higher, number(low), number(high))
    yield _ordered("fma_nonneg", ZERO, FMA(A, C, R), _above(A), _above(C), finite, _above(R), number(FMA(A, C, R)))


def invalid() -> Iterable[Lemma]:
    """Which results are NaN: by the operands' signs, by what they are, and by one that is finite."""
    for lean, side in (("nonneg", _above), ("nonpos", _below)):
        yield Lemma(lean=f"F32.isNan_add_{lean}", lhs=IS_NAN(ADD(A, C)), rhs=FALSE, given=(side(A), side(C)), use="interval")
    either, infinite = OR(IS_NAN(A), IS_NAN(B)), AND(IS_INF(A), IS_INF(B))
    zero_a, zero_b = EQ(A, ZERO), EQ(B, ZERO)
    for lean, whole, kinds in (
        ("add", ADD(A, B), AND(infinite, mk("not", EQ(A, B)))), ("mul", MUL(A, B), OR(AND(IS_INF(A), zero_b), AND(zero_a, IS_INF(B)))),
        ("div", DIV(A, B), OR(infinite, AND(zero_a, zero_b))),
    ):
        yield Lemma(lean=f"F32.isNan_{lean}_eq", lhs=IS_NAN(whole), rhs=OR(either, kinds), use="interval")
    for lean, known, other in (("left", A, B), ("right", B, A)):
        yield Lemma(lean=f"Fp.isNan_sub_{lean}", lhs=IS_NAN(SUB(A, B)), rhs=IS_NAN(other), given=(holds(IS_FINITE(known)),), use="interval")
    yield Lemma(lean="Fp.isNan_mul_of_nonzero", lhs=IS_NAN(MUL(A, B)), rhs=FALSE, given=(number(A), number(B)),
                closed=(("Fp.isNonzero", (A,)), ("Fp.isNonzero", (B,))), use="interval")
    yield Lemma(lean="Fp.isNan_fma_of_finite", lhs=IS_NAN(FMA(A, B, C)), rhs=IS_NAN(MUL(A, B)), given=(holds(IS_FINITE(C)),), use="interval")
