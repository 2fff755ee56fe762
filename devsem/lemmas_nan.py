"""The pool's rows about NaN: what operations do with it, and which results are NaN."""

from __future__ import annotations

from collections.abc import Iterable

from devsem.expr import Expr, mk
from devsem.lemma import FALSE, MIN_MAX, NAN, ROUNDED_TO_WHOLE, TRUE, ZERO, A, B, C, Lemma, P, fun, holds

ADD, MUL, DIV, FMA, SQRT, IS_NAN = map(fun, ("add_rn", "mul_rn", "div_rn", "fma_rn", "sqrt_rn", "is_nan"))


def through() -> Iterable[Lemma]:
    """NaN through every operation."""
    for op, lean in (("add_rn", "add"), ("sub_rn", "sub"), ("mul_rn", "mul"), ("div_rn", "div"), ("min_nan", "minNan"), ("max_nan", "maxNan")):
        yield Lemma(lean=f"Fp.nan_{lean}", lhs=mk(op, NAN, A), rhs=NAN)
        yield Lemma(lean=f"Fp.{lean}_nan", lhs=mk(op, A, NAN), rhs=NAN)
    for lean, at in (("nan_fma_left", (NAN, A, B)), ("nan_fma_right", (A, NAN, B)), ("fma_nan", (A, B, NAN))):
        yield Lemma(lean=f"Fp.{lean}", lhs=FMA(*at), rhs=NAN)
    for op, lean in (("min_num", "minNum"), ("max_num", "maxNum")):
        yield Lemma(lean=f"Fp.nan_{lean}", lhs=mk(op, NAN, A), rhs=A)
        yield Lemma(lean=f"Fp.{lean}_nan", lhs=mk(op, A, NAN), rhs=A)
    for op in ("lt", "le", "eq"):
        yield Lemma(lean=f"Fp.nan_{op}", lhs=mk(op, NAN, A), rhs=FALSE)
        yield Lemma(lean=f"Fp.{op}_nan", lhs=mk(op, A, NAN), rhs=FALSE)
    yield Lemma(lean="Fp.eq_nan_of_isNan", lhs=A, rhs=NAN, given=(holds(IS_NAN(A)),), use="class")


def tests() -> Iterable[Lemma]:
    """`is_nan` of a result, by its operands."""
    for op, lean in (("neg", "neg"), ("abs", "abs"), ("ftz", "ftz"), ("pos_zero", "posZero"), *ROUNDED_TO_WHOLE):
        yield Lemma(lean=f"Fp.isNan_{lean}", lhs=IS_NAN(mk(op, A)), rhs=IS_NAN(A))
    for op, lean in MIN_MAX:
        yield Lemma(lean=f"Fp.isNan_{lean}", lhs=IS_NAN(mk(op, A, B)), rhs=mk("and" if op.endswith("num") else "or", IS_NAN(A), IS_NAN(B)))
    yield Lemma(lean="Fp.isNan_cond", lhs=IS_NAN(mk("select", P, A, B)), rhs=mk("select_bool", P, IS_NAN(A), IS_NAN(B)), use="class")
    yield Lemma(lean="F32.isNan_add_self", lhs=IS_NAN(ADD(A, A)), rhs=IS_NAN(A))
    yield Lemma(lean="F32.isNan_mul_self", lhs=IS_NAN(MUL(A, A)), rhs=IS_NAN(A))
    yield Lemma(lean="F32.isNan_sqrt", lhs=IS_NAN(SQRT(A)), rhs=mk("or", IS_NAN(A), mk("lt", A, ZERO)))
    yield Lemma(lean="F32.isNan_sqrt_of_nonneg", lhs=IS_NAN(SQRT(A)), rhs=FALSE, given=(holds(mk("le", ZERO, A)),), use="class")
    yield Lemma(lean="Fp.notNan_of_isFinite", lhs=IS_NAN(A), rhs=FALSE, given=(finite(A),), use="class")
    yield Lemma(lean="Fp.notNan_of_isInf", lhs=IS_NAN(A), rhs=FALSE, given=(holds(mk("is_inf", A)),), use="class")
    yield from _operands()


def finite(e: Expr) -> tuple[Expr, Expr]:
    """The value is a number and no infinity."""
    return mk("is_finite", e), TRUE


def _operands() -> Iterable[Lemma]:
    """With one finite operand, the result is NaN exactly when the other operand is; a factor or divisor is also not zero."""
    for op, lean, nonzero in (("add_rn", "add", False), ("mul_rn", "mul", True), ("div_rn", "div", True)):
        for side, known, other in (("right", B, A), ("left", A, B)):
            closed = (("Fp.isNonzero", (known,)),) if nonzero else ()
            yield Lemma(lean=f"Fp.isNan_{lean}_{side}", lhs=IS_NAN(mk(op, A, B)), rhs=IS_NAN(other), given=(finite(known),), closed=closed)
    yield Lemma(lean="Fp.isNan_mul_of_finite", lhs=IS_NAN(MUL(A, B)), rhs=FALSE, given=(finite(A), finite(B)))
    yield Lemma(lean="Fp.isNan_fma_left", lhs=IS_NAN(FMA(A, B, C)), rhs=IS_NAN(A), given=(finite(B), finite(C)), closed=(("Fp.isNonzero", (B,)),))
    yield Lemma(lean="Fp.isNan_fma_right", lhs=IS_NAN(FMA(A, B, C)), rhs=IS_NAN(C), given=(finite(A), finite(B)))
