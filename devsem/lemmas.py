"""The lemma pool: general facts about Float32, each a theorem of `FloatLib`, registered once with its statement.

A row's `lean` is the theorem's name; `lhs`, `rhs` and `given` are its statement over the pattern variables a, b, c, and what Lean
must agree with (`tests/test_tables.py` has Lean compare every row). All value arguments of a theorem are explicit, in the order of
the variables; then come the proofs of `given`, each `Eq CONDITION true` (or `false`, or an equation of floats).

`use` says who applies it: `rewrite` rows are applied left to right by the prover's normaliser, whenever their conditions are
closed or follow from the branch; the others are applied by name where the prover reasons about order, classes and flushing.

False ideas stay below the table, with their counterexamples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from devsem.expr import Expr, bits, const, const_bool, mk, var, variables
from devsem.ops import BOOL, F32, OPS

Use = Literal["rewrite", "order", "class", "flush", "commute"]

A, B, C = (var(n, F32) for n in "abc")
P = var("p", BOOL)
TRUE, FALSE = const_bool(True), const_bool(False)
NAN, INF, NINF = bits(0x7FFFFFFF), bits(0x7F800000), bits(0xFF800000)
ZERO, NZERO, ONE, TWO = bits(0), bits(0x80000000), const(1.0), const(2.0)
MIN_NORMAL, MAX_NEG_NORMAL = bits(0x00800000), bits(0x80800000)


@dataclass(frozen=True, kw_only=True)
class Lemma:
    """One theorem: `lhs = rhs`, provided each pair of `given` is equal. `given` may name `recip` and `big`, closed tests on constants."""

    lean: str
    lhs: Expr
    rhs: Expr
    given: tuple[tuple[Expr, Expr], ...] = ()
    closed: tuple[tuple[str, tuple[Expr, ...]], ...] = ()
    use: Use = "rewrite"

    @property
    def variables(self) -> tuple[Expr, ...]:
        """The pattern variables of the statement in the order a, b, c, p."""
        roots = [self.lhs, self.rhs, *(e for pair in self.given for e in pair), *(e for _, args in self.closed for e in args)]
        found = variables(*roots)
        return tuple(v for v in (A, B, C, P) if v in found)


MIN_MAX = (("min_num", "minNum"), ("max_num", "maxNum"), ("min_nan", "minNan"), ("max_nan", "maxNan"))


def _fun(op: str) -> Callable[..., Expr]:
    """An operation as a Python function."""
    return lambda *args: mk(op, *args)


def _commute() -> Iterable[Lemma]:
    for op, lean in (("add_rn", "add"), ("mul_rn", "mul"), *MIN_MAX, ("eq", "eq")):
        yield Lemma(lean=f"Fp.{lean}_comm", lhs=mk(op, A, B), rhs=mk(op, B, A), use="commute")
    yield Lemma(lean="Fp.fma_comm", lhs=mk("fma_rn", A, B, C), rhs=mk("fma_rn", B, A, C), use="commute")


def _sign() -> Iterable[Lemma]:
    """The sign moves outward through products and quotients; through sums only with zero's sign aside."""
    n = _fun("neg")
    yield Lemma(lean="Fp.neg_neg", lhs=n(n(A)), rhs=A)
    yield Lemma(lean="Fp.abs_neg", lhs=mk("abs", n(A)), rhs=mk("abs", A))
    yield Lemma(lean="Fp.abs_abs", lhs=mk("abs", mk("abs", A)), rhs=mk("abs", A))
    yield Lemma(lean="Fp.sub_eq_add_neg", lhs=mk("sub_rn", A, B), rhs=mk("add_rn", A, n(B)))
    for op, lean in (("mul_rn", "mul"), ("div_rn", "div")):
        yield Lemma(lean=f"Fp.{lean}_neg_left", lhs=mk(op, n(A), B), rhs=n(mk(op, A, B)))
        yield Lemma(lean=f"Fp.{lean}_neg_right", lhs=mk(op, A, n(B)), rhs=n(mk(op, A, B)))
    yield Lemma(lean="Fp.fma_neg_neg", lhs=mk("fma_rn", n(A), n(B), C), rhs=mk("fma_rn", A, B, C))
    yield Lemma(lean="Fp.fma_neg_swap", lhs=mk("fma_rn", A, n(B), C), rhs=mk("fma_rn", n(A), B, C))


def _arithmetic() -> Iterable[Lemma]:
    yield Lemma(lean="F32.add_self", lhs=mk("add_rn", A, A), rhs=mk("mul_rn", A, TWO))
    yield Lemma(lean="Fp.div_eq_mul", lhs=mk("div_rn", A, B), rhs=mk("mul_rn", A, C), closed=(("Fp.isRecip", (B, C)),), use="class")
    yield Lemma(lean="F32.mul_one", lhs=mk("mul_rn", A, ONE), rhs=A)
    yield Lemma(lean="F32.div_one", lhs=mk("div_rn", A, ONE), rhs=A)
    yield Lemma(lean="F32.add_negZero", lhs=mk("add_rn", A, NZERO), rhs=A)
    yield Lemma(lean="F32.fma_one", lhs=mk("fma_rn", A, ONE, C), rhs=mk("add_rn", A, C))
    yield Lemma(lean="F32.fma_negZero", lhs=mk("fma_rn", A, B, NZERO), rhs=mk("mul_rn", A, B))


def _nan() -> Iterable[Lemma]:
    """NaN through every operation."""
    for op, lean in (("add_rn", "add"), ("sub_rn", "sub"), ("mul_rn", "mul"), ("div_rn", "div"), ("min_nan", "minNan"), ("max_nan", "maxNan")):
        yield Lemma(lean=f"Fp.nan_{lean}", lhs=mk(op, NAN, A), rhs=NAN)
        yield Lemma(lean=f"Fp.{lean}_nan", lhs=mk(op, A, NAN), rhs=NAN)
    for lean, at in (("nan_fma_left", (NAN, A, B)), ("nan_fma_right", (A, NAN, B)), ("fma_nan", (A, B, NAN))):
        yield Lemma(lean=f"Fp.{lean}", lhs=mk("fma_rn", *at), rhs=NAN)
    for op, lean in (("min_num", "minNum"), ("max_num", "maxNum")):
        yield Lemma(lean=f"Fp.nan_{lean}", lhs=mk(op, NAN, A), rhs=A)
        yield Lemma(lean=f"Fp.{lean}_nan", lhs=mk(op, A, NAN), rhs=A)
    for op in ("lt", "le", "eq"):
        yield Lemma(lean=f"Fp.nan_{op}", lhs=mk(op, NAN, A), rhs=FALSE)
        yield Lemma(lean=f"Fp.{op}_nan", lhs=mk(op, A, NAN), rhs=FALSE)
    for op, lean in (("neg", "neg"), ("abs", "abs"), ("ftz", "ftz"), ("pos_zero", "posZero"), ("rint", "rint"), ("floor", "floor"), ("ceil", "ceil"),
                     ("trunc", "trunc"), ("round_away", "roundAway")):
        yield Lemma(lean=f"Fp.isNan_{lean}", lhs=mk("is_nan", mk(op, A)), rhs=mk("is_nan", A))
    yield Lemma(lean="Fp.eq_nan_of_isNan", lhs=A, rhs=NAN, given=((mk("is_nan", A), TRUE),), use="class")


def _order() -> Iterable[Lemma]:
    """Off NaN, `le` is a total preorder whose only ties are equal values and the two zeros; on NaN everything is false."""
    lt, le, eq = map(_fun, ("lt", "le", "eq"))

    def num(e: Expr) -> tuple[Expr, Expr]:
        return mk("is_nan", e), FALSE

    yield Lemma(lean="Fp.lt_irrefl", lhs=lt(A, A), rhs=FALSE)
    yield Lemma(lean="Fp.le_self", lhs=le(A, A), rhs=mk("not", mk("is_nan", A)))
    yield Lemma(lean="Fp.eq_self", lhs=eq(A, A), rhs=mk("not", mk("is_nan", A)))
    for lean, given, goal in (
        ("lt_trans", ((lt(A, B), TRUE), (lt(B, C), TRUE)), (lt(A, C), TRUE)),
        ("lt_of_lt_of_le", ((lt(A, B), TRUE), (le(B, C), TRUE)), (lt(A, C), TRUE)),
        ("lt_of_le_of_lt", ((le(A, B), TRUE), (lt(B, C), TRUE)), (lt(A, C), TRUE)),
        ("le_trans", ((le(A, B), TRUE), (le(B, C), TRUE)), (le(A, C), TRUE)),
        ("le_of_lt", ((lt(A, B), TRUE),), (le(A, B), TRUE)),
        ("le_of_eq", ((eq(A, B), TRUE),), (le(A, B), TRUE)),
        ("ge_of_eq", ((eq(A, B), TRUE),), (le(B, A), TRUE)),
        ("lt_false_of_le", ((le(B, A), TRUE),), (lt(A, B), FALSE)),
        ("le_false_of_lt", ((lt(B, A), TRUE),), (le(A, B), FALSE)),
        ("eq_of_le_le", ((le(A, B), TRUE), (le(B, A), TRUE)), (eq(A, B), TRUE)),
        ("eq_false_of_lt", ((lt(A, B), TRUE),), (eq(A, B), FALSE)),
        ("eq_false_of_gt", ((lt(B, A), TRUE),), (eq(A, B), FALSE)),
        ("le_of_not_lt", (num(A), num(B), (lt(A, B), FALSE)), (le(B, A), TRUE)),
        ("lt_of_not_le", (num(A), num(B), (le(A, B), FALSE)), (lt(B, A), TRUE)),
        ("notNan_left_of_lt", ((lt(A, B), TRUE),), num(A)), ("notNan_right_of_lt", ((lt(A, B), TRUE),), num(B)),
        ("notNan_left_of_le", ((le(A, B), TRUE),), num(A)), ("notNan_right_of_le", ((le(A, B), TRUE),), num(B)),
        ("notNan_left_of_eq", ((eq(A, B), TRUE),), num(A)), ("notNan_right_of_eq", ((eq(A, B), TRUE),), num(B)),
        ("le_inf", (num(A),), (le(A, INF), TRUE)), ("negInf_le", (num(A),), (le(NINF, A), TRUE)),
        ("zero_le_abs", (num(A),), (le(ZERO, mk("abs", A)), TRUE)),
    ):
        name = "F32." if lean in ("le_inf", "negInf_le", "zero_le_abs") else "Fp."
        yield Lemma(lean=name + lean, lhs=goal[0], rhs=goal[1], given=given, use="order")
    yield Lemma(lean="Fp.eq_of_le_of_le", lhs=A, rhs=B, given=((le(A, B), TRUE), (le(B, A), TRUE)), closed=(("Fp.isNonzero", (B,)),), use="class")


def _order_rewrites() -> Iterable[Lemma]:
    lt, le, eq = map(_fun, ("lt", "le", "eq"))
    n, ab = map(_fun, ("neg", "abs"))
    for op in ("lt", "le"):
        yield Lemma(lean=f"Fp.{op}_neg_neg", lhs=mk(op, n(A), n(B)), rhs=mk(op, B, A))
    yield Lemma(lean="Fp.eq_neg_neg", lhs=eq(n(A), n(B)), rhs=eq(A, B))
    for op in ("lt", "le"):
        yield Lemma(lean=f"Fp.{op}_neg_left", lhs=mk(op, n(A), B), rhs=mk(op, n(B), A), use="class")
        yield Lemma(lean=f"Fp.{op}_neg_right", lhs=mk(op, A, n(B)), rhs=mk(op, B, n(A)), use="class")
        yield Lemma(lean=f"Fp.abs_{op}", lhs=mk(op, ab(A), B), rhs=mk("and", mk(op, A, B), mk(op, n(B), A)), use="class")
        yield Lemma(lean=f"Fp.{op}_abs", lhs=mk(op, B, ab(A)), rhs=mk("or", mk(op, B, A), mk(op, A, n(B))), use="class")
    yield Lemma(lean="F32.isInf_eq", lhs=mk("is_inf", A), rhs=mk("or", eq(A, INF), eq(A, NINF)))
    yield Lemma(lean="F32.isFinite_eq", lhs=mk("is_finite", A), rhs=mk("and", lt(NINF, A), lt(A, INF)))
    yield Lemma(lean="Fp.ltU_eq", lhs=mk("lt_u", A, B), rhs=mk("not", le(B, A)))
    yield Lemma(lean="Fp.leU_eq", lhs=mk("le_u", A, B), rhs=mk("not", lt(B, A)))
    yield Lemma(lean="Fp.eqU_eq", lhs=mk("eq_u", A, B), rhs=mk("or", mk("or", mk("is_nan", A), mk("is_nan", B)), eq(A, B)))


def _min_max() -> Iterable[Lemma]:
    def lt(a: Expr, b: Expr) -> tuple[Expr, Expr]:
        return mk("lt", a, b), TRUE

    for op, lean in MIN_MAX:
        left, right = (lt(A, B), lt(B, A)) if op.startswith("min") else (lt(B, A), lt(A, B))
        yield Lemma(lean=f"Fp.{lean}_left", lhs=mk(op, A, B), rhs=A, given=(left,))
        yield Lemma(lean=f"Fp.{lean}_right", lhs=mk(op, A, B), rhs=B, given=(right,))
        yield Lemma(lean=f"Fp.{lean}_self", lhs=mk(op, A, A), rhs=A)
    for a, b, lean in (("min_nan", "min_num", "minNan"), ("max_nan", "max_num", "maxNan")):
        yield Lemma(lean=f"Fp.{lean}_of_notNan", lhs=mk(a, A, B), rhs=mk(b, A, B), given=((mk("is_nan", A), FALSE), (mk("is_nan", B), FALSE)))
    yield Lemma(lean="F32.abs_of_pos", lhs=mk("abs", A), rhs=A, given=(lt(ZERO, A),))
    yield Lemma(lean="F32.abs_of_neg", lhs=mk("abs", A), rhs=mk("neg", A), given=(lt(A, ZERO),))


def _flush() -> Iterable[Lemma]:
    """A comparison with a number that is not subnormal does not see a flush; a flushed value is flushed."""
    z = _fun("ftz")
    yield Lemma(lean="Fp.ftz_ftz", lhs=z(z(A)), rhs=z(A))
    yield Lemma(lean="Fp.ftz_neg", lhs=z(mk("neg", A)), rhs=mk("neg", z(A)))
    yield Lemma(lean="Fp.ftz_abs", lhs=z(mk("abs", A)), rhs=mk("abs", z(A)))
    for op in ("lt", "le", "eq"):
        yield Lemma(lean=f"Fp.ftz_{op}", lhs=mk(op, z(A), B), rhs=mk(op, A, B), closed=(("Fp.isBig", (B,)),))
        yield Lemma(lean=f"Fp.{op}_ftz", lhs=mk(op, B, z(A)), rhs=mk(op, B, A), closed=(("Fp.isBig", (B,)),))
    yield Lemma(lean="F32.ftz_of_pos", lhs=z(A), rhs=A, given=((mk("le", MIN_NORMAL, A), TRUE),))
    yield Lemma(lean="F32.ftz_of_neg", lhs=z(A), rhs=A, given=((mk("le", A, MAX_NEG_NORMAL), TRUE),))
    for op, lean in MIN_MAX:
        yield Lemma(lean=f"Fp.ftz_{lean}", lhs=z(mk(op, A, B)), rhs=mk(op, A, B), given=((z(A), A), (z(B), B)), use="flush")
    yield Lemma(lean="Fp.ftz_cond", lhs=z(mk("select", P, A, B)), rhs=mk("select", P, A, B), given=((z(A), A), (z(B), B)), use="flush")


def _zero_sign() -> Iterable[Lemma]:
    """What holds with the sign of zero aside."""
    pz, n = map(_fun, ("pos_zero", "neg"))
    yield Lemma(lean="Fp.posZero_posZero", lhs=pz(pz(A)), rhs=pz(A))
    yield Lemma(lean="Fp.posZero_neg_add", lhs=pz(n(mk("add_rn", A, B))), rhs=pz(mk("add_rn", n(A), n(B))))
    yield Lemma(lean="F32.posZero_add_zero", lhs=pz(mk("add_rn", A, ZERO)), rhs=pz(A))
    yield Lemma(lean="F32.posZero_mul_zero", lhs=pz(mk("mul_rn", A, ZERO)), rhs=ZERO, given=((mk("is_finite", A), TRUE),))
    yield Lemma(lean="F32.posZero_of_pos", lhs=pz(A), rhs=A, given=((mk("lt", ZERO, A), TRUE),))
    yield Lemma(lean="F32.posZero_of_neg", lhs=pz(A), rhs=A, given=((mk("lt", A, ZERO), TRUE),))


def _rows() -> Iterable[Lemma]:
    for group in (_commute, _sign, _arithmetic, _nan, _order, _order_rewrites, _min_max, _flush, _zero_sign):
        yield from group()


LEMMAS: dict[str, Lemma] = {}
for _row in _rows():
    if _row.lean in LEMMAS:
        raise ValueError(f"lemma {_row.lean} is registered twice")
    LEMMAS[_row.lean] = _row

REWRITES: dict[str, tuple[Lemma, ...]] = {op: tuple(m for m in LEMMAS.values() if m.use == "rewrite" and m.lhs.op == op) for op in OPS}
COMMUTE: dict[str, Lemma] = {m.lhs.op: m for m in LEMMAS.values() if m.use == "commute"}

# False, and why:
#   x * 0 = 0            NaN * 0 = NaN, inf * 0 = NaN, -1 * 0 = -0
#   x - x = 0            inf - inf = NaN
#   x + 0 = x            -0 + 0 = +0
#   (x * 0.5) * 2 = x    the smallest subnormal halves to 0
#   (x + y) + z = x + (y + z)   1, 2^-24, 2^-24
#   neg (x - y) = y - x  x = y: -0 and +0 (true with the sign of zero aside)
#   max x 0 = max 0 x in IEEE 754-2008, where max of two zeros may be either; PTX orders them, so here it holds
#   x < y ? x : y = min x y     NaN, and the two zeros
#   0 - x = neg x        x = +0
