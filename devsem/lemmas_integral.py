"""The pool's rows about rounding to whole numbers, and about tests for infinities."""

from __future__ import annotations

from collections.abc import Iterable

from devsem.expr import mk
from devsem.lemma import ROUNDED_TO_WHOLE, ZERO, A, Lemma, fun, holds

LE, NEG, ABS, FTZ, NOT, IS_NAN, IS_INF, IS_FINITE = map(fun, ("le", "neg", "abs", "ftz", "not", "is_nan", "is_inf", "is_finite"))
FLOOR, CEIL, TRUNC = map(fun, ("floor", "ceil", "trunc"))
BLIND = tuple(pair for pair in ROUNDED_TO_WHOLE if pair[0] not in ("floor", "ceil"))    # these do not see the sign


def classes() -> Iterable[Lemma]:
    """Operations that neither make nor lose infinities."""
    for name, test in (("isFinite", IS_FINITE), ("isInf", IS_INF)):
        for op, lean in (("neg", f"Fp.{name}_neg"), ("abs", f"Fp.{name}_abs"), ("pos_zero", f"F32.{name}_posZero"), ("ftz", f"F32.{name}_ftz"),
                         *((op, f"F32.{name}_{lean}") for op, lean in ROUNDED_TO_WHOLE)):
            yield Lemma(lean=lean, lhs=test(mk(op, A)), rhs=test(A))
    yield Lemma(lean="Fp.isInf_eq_not", lhs=IS_INF(A), rhs=NOT(mk("or", IS_NAN(A), IS_FINITE(A))), use="class")


def whole() -> Iterable[Lemma]:
    """A whole number stays. Signs move out; downward and upward change places."""
    for op, lean in ROUNDED_TO_WHOLE:
        for inner, name in ROUNDED_TO_WHOLE:
            yield Lemma(lean=f"Fp.{lean}_{name}", lhs=mk(op, mk(inner, A)), rhs=mk(inner, A))
        yield Lemma(lean=f"F32.ftz_{lean}", lhs=FTZ(mk(op, A)), rhs=mk(op, A))
    for op, lean in BLIND:
        yield Lemma(lean=f"Fp.{lean}_neg", lhs=mk(op, NEG(A)), rhs=NEG(mk(op, A)))
        yield Lemma(lean=f"Fp.{lean}_abs", lhs=mk(op, ABS(A)), rhs=ABS(mk(op, A)))
        yield Lemma(lean=f"F32.{lean}_ftz", lhs=mk(op, FTZ(A)), rhs=mk(op, A))
    yield Lemma(lean="Fp.floor_neg", lhs=FLOOR(NEG(A)), rhs=NEG(CEIL(A)))
    yield Lemma(lean="Fp.ceil_neg", lhs=CEIL(NEG(A)), rhs=NEG(FLOOR(A)))
    yield Lemma(lean="Fp.ceil_eq", lhs=CEIL(A), rhs=NEG(FLOOR(NEG(A))), use="class")
    yield Lemma(lean="Fp.floor_abs", lhs=FLOOR(ABS(A)), rhs=TRUNC(ABS(A)))
    yield Lemma(lean="F32.trunc_of_nonneg", lhs=TRUNC(A), rhs=FLOOR(A), given=(holds(LE(ZERO, A)),))
    yield Lemma(lean="F32.trunc_of_nonpos", lhs=TRUNC(A), rhs=CEIL(A), given=(holds(LE(A, ZERO)),))
    yield Lemma(lean="Fp.floor_le", lhs=LE(FLOOR(A), A), rhs=NOT(IS_NAN(A)))
    yield Lemma(lean="Fp.le_ceil", lhs=LE(A, CEIL(A)), rhs=NOT(IS_NAN(A)))
    yield Lemma(lean="Fp.abs_trunc_le", lhs=LE(ABS(TRUNC(A)), ABS(A)), rhs=NOT(IS_NAN(A)))
