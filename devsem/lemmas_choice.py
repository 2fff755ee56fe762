"""The pool's rows about minima and maxima, and about flushing."""

from __future__ import annotations

from collections.abc import Iterable

from devsem.expr import mk
from devsem.lemma import INF, MAX_NEG_NORMAL, MIN_MAX, MIN_NORMAL, NINF, ZERO, A, B, C, Lemma, P, fun, holds, number

LT, LE, NEG, ABS, FTZ = map(fun, ("lt", "le", "neg", "abs", "ftz"))


def min_max() -> Iterable[Lemma]:
    """Where the order is known, one of the arguments."""
    for op, lean in MIN_MAX:
        below, above = (A, B) if op.startswith("min") else (B, A)
        nonzero = (("Fp.isNonzero", (B,)),)
        yield Lemma(lean=f"Fp.{lean}_self", lhs=mk(op, A, A), rhs=A)
        yield Lemma(lean=f"Fp.{lean}_left", lhs=mk(op, A, B), rhs=A, given=(holds(LT(below, above)),))
        yield Lemma(lean=f"Fp.{lean}_right", lhs=mk(op, A, B), rhs=B, given=(holds(LT(above, below)),))
        yield Lemma(lean=f"Fp.{lean}_of_le", lhs=mk(op, A, B), rhs=below, given=(holds(LE(A, B)),), closed=nonzero)
        yield Lemma(lean=f"Fp.{lean}_of_ge", lhs=mk(op, A, B), rhs=above, given=(holds(LE(B, A)),), closed=nonzero)
    for a, b, lean in (("min_nan", "min_num", "minNan"), ("max_nan", "max_num", "maxNan")):
        yield Lemma(lean=f"Fp.{lean}_of_notNan", lhs=mk(a, A, B), rhs=mk(b, A, B), given=(number(A), number(B)))
    yield Lemma(lean="F32.abs_of_pos", lhs=ABS(A), rhs=A, given=(holds(LT(ZERO, A)),))
    yield Lemma(lean="F32.abs_of_neg", lhs=ABS(A), rhs=NEG(A), given=(holds(LT(A, ZERO)),))


def infinities() -> Iterable[Lemma]:
    """Infinities bound every number; NaN decides which of these need one."""
    for op, lean, c, name, result, given in (
        ("min_num", "minNum", INF, "inf", A, True), ("max_num", "maxNum", NINF, "negInf", A, True),
        ("max_num", "maxNum", INF, "inf", INF, False), ("min_num", "minNum", NINF, "negInf", NINF, False),
        ("min_nan", "minNan", INF, "inf", A, False), ("max_nan", "maxNan", NINF, "negInf", A, False),
        ("max_nan", "maxNan", INF, "inf", INF, True), ("min_nan", "minNan", NINF, "negInf", NINF, True),
    ):
        yield Lemma(lean=f"F32.{lean}_{name}", lhs=mk(op, A, c), rhs=result, given=(number(A),) if given else ())


def nested() -> Iterable[Lemma]:
    """Minima of minima. `nested` rows give one form together with an order of arguments; the others make terms smaller."""
    for op, lean in MIN_MAX:
        f = fun(op)
        yield Lemma(lean=f"Fp.{lean}_assoc", lhs=f(f(A, B), C), rhs=f(A, f(B, C)), use="nested")
        yield Lemma(lean=f"Fp.{lean}_left_comm", lhs=f(A, f(B, C)), rhs=f(B, f(A, C)), use="nested")
        yield Lemma(lean=f"Fp.{lean}_left_self", lhs=f(A, f(A, B)), rhs=f(A, B))
        yield Lemma(lean=f"Fp.{lean}_right_self", lhs=f(A, f(B, A)), rhs=f(B, A))
        yield Lemma(lean=f"Fp.{lean}_self_left", lhs=f(f(A, B), A), rhs=f(A, B))
        yield Lemma(lean=f"Fp.{lean}_self_right", lhs=f(f(A, B), B), rhs=f(A, B))


def absorption() -> Iterable[Lemma]:
    """A maximum of a value with a minimum of it is the value, and the other way round. Each kind needs one of the two to be a number."""
    for outer, inner, op, under in (("maxNum", "minNum", "max_num", "min_num"), ("minNum", "maxNum", "min_num", "max_num"),
                                    ("maxNan", "minNan", "max_nan", "min_nan"), ("minNan", "maxNan", "min_nan", "max_nan")):
        f, g = fun(op), fun(under)
        kept, other = (number(A), number(B)) if op.endswith("num") else (number(B), number(A))
        yield Lemma(lean=f"Fp.{outer}_{inner}", lhs=f(g(A, B), B), rhs=B, given=(other,))
        yield Lemma(lean=f"Fp.{outer}_{inner}_left", lhs=f(g(A, B), A), rhs=A, given=(kept,))
        yield Lemma(lean=f"Fp.{outer}_of_{inner}", lhs=f(A, g(A, B)), rhs=A, given=(kept,))
        yield Lemma(lean=f"Fp.{outer}_of_{inner}_right", lhs=f(A, g(B, A)), rhs=A, given=(kept,))


def clamps() -> Iterable[Lemma]:
    """Between bounds in order, either may be applied first. The kind that ignores NaN would give the first bound for one."""
    yield Lemma(lean="Fp.clamp_num", lhs=mk("min_num", mk("max_num", A, B), C), rhs=mk("max_num", mk("min_num", A, C), B),
                given=(number(A), holds(LT(B, C))))
    yield Lemma(lean="Fp.clamp_nan", lhs=mk("min_nan", mk("max_nan", A, B), C), rhs=mk("max_nan", mk("min_nan", A, C), B), given=(holds(LT(B, C)),))


def absolute() -> Iterable[Lemma]:
    """A value with its opposite and its absolute value."""
    for kind in ("num", "nan"):
        least, most, name = fun(f"min_{kind}"), fun(f"max_{kind}"), kind.capitalize()
        yield Lemma(lean=f"Fp.max{name}_neg_self", lhs=most(A, NEG(A)), rhs=ABS(A))
        yield Lemma(lean=f"Fp.neg_max{name}_self", lhs=most(NEG(A), A), rhs=ABS(A))
        yield Lemma(lean=f"Fp.min{name}_neg_self", lhs=least(A, NEG(A)), rhs=NEG(ABS(A)))
        yield Lemma(lean=f"Fp.neg_min{name}_self", lhs=least(NEG(A), A), rhs=NEG(ABS(A)))
        yield Lemma(lean=f"Fp.abs_max{name}", lhs=most(ABS(A), A), rhs=ABS(A))
        yield Lemma(lean=f"Fp.abs_min{name}", lhs=least(ABS(A), A), rhs=A)
        yield Lemma(lean=f"Fp.max{name}_abs", lhs=most(A, ABS(A)), rhs=ABS(A))
        yield Lemma(lean=f"Fp.min{name}_abs", lhs=least(A, ABS(A)), rhs=A)


def flush() -> Iterable[Lemma]:
    """A comparison with a number that is not subnormal does not see a flush, nor does a sum with one of ordinary size; a flushed value is flushed."""
    yield Lemma(lean="Fp.ftz_ftz", lhs=FTZ(FTZ(A)), rhs=FTZ(A))
    yield Lemma(lean="Fp.ftz_neg", lhs=FTZ(NEG(A)), rhs=NEG(FTZ(A)))
    yield Lemma(lean="Fp.ftz_abs", lhs=FTZ(ABS(A)), rhs=ABS(FTZ(A)))
    for op in ("lt", "le", "eq"):
        yield Lemma(lean=f"Fp.ftz_{op}", lhs=mk(op, FTZ(A), B), rhs=mk(op, A, B), closed=(("Fp.isBig", (B,)),))
        yield Lemma(lean=f"Fp.{op}_ftz", lhs=mk(op, B, FTZ(A)), rhs=mk(op, B, A), closed=(("Fp.isBig", (B,)),))
    yield Lemma(lean="F32.ftz_of_pos", lhs=FTZ(A), rhs=A, given=(holds(LE(MIN_NORMAL, A)),))
    yield Lemma(lean="F32.ftz_of_neg", lhs=FTZ(A), rhs=A, given=(holds(LE(A, MAX_NEG_NORMAL)),))
    flushed = ((FTZ(A), A), (FTZ(B), B))
    for op, lean in MIN_MAX:
        yield Lemma(lean=f"Fp.ftz_{lean}", lhs=FTZ(mk(op, A, B)), rhs=mk(op, A, B), given=flushed, use="flush")
    ordinary = (("Fp.isTame", (C,)),)
    yield Lemma(lean="Fp.add_ftz", lhs=mk("add_rn", FTZ(A), C), rhs=mk("add_rn", A, C), closed=ordinary)
    yield Lemma(lean="Fp.add_neg_ftz", lhs=mk("add_rn", NEG(FTZ(A)), C), rhs=mk("add_rn", NEG(A), C), closed=ordinary)
    yield Lemma(lean="Fp.add_abs_ftz", lhs=mk("add_rn", ABS(FTZ(A)), C), rhs=mk("add_rn", ABS(A), C), closed=ordinary)
    flushed_factor, factor = (mk("add_rn", mk("mul_rn", x, B), C) for x in (FTZ(A), A))
    yield Lemma(lean="Fp.add_mul_ftz", lhs=flushed_factor, rhs=factor, closed=(("Fp.isPart", (B,)), *ordinary))
    yield Lemma(lean="F32.mul_ftz_zero", lhs=mk("mul_rn", FTZ(A), ZERO), rhs=mk("mul_rn", A, ZERO))
    yield Lemma(lean="Fp.ftz_add", lhs=FTZ(mk("add_rn", A, C)), rhs=mk("add_rn", A, C), closed=ordinary, use="flush")
    yield Lemma(lean="Fp.ftz_cond", lhs=FTZ(mk("select", P, A, B)), rhs=mk("select", P, A, B), given=flushed, use="flush")
