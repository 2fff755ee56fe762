"""The lemma pool: general facts about Float32, each a theorem of `FloatLib`, registered once with its statement.

A row's `lean` is the theorem's name; `lhs`, `rhs` and `given` are its statement over the pattern variables a, b, c, and what Lean
must agree with (`tests/test_tables.py` has Lean compare every row). All value arguments of a theorem are explicit, in the order of
the variables; then come the proofs of `given`, each `Eq CONDITION true` (or `false`, or an equation of floats).

`use` says who applies it: `rewrite` rows are applied left to right by the prover's normaliser, whenever their conditions are
closed or follow from the branch; the others are applied by name where the prover reasons about order, classes and flushing.

The rows stand in `lemmas_*.py` by subject. False ideas stay below the table, with their counterexamples.
"""

from __future__ import annotations

from collections.abc import Iterable

from devsem import lemmas_between, lemmas_choice, lemmas_factors, lemmas_integral, lemmas_interval, lemmas_nan, lemmas_order, lemmas_sign
from devsem.expr import mk
from devsem.lemma import FALSE, INF, MAX_NEG_NORMAL, MIN_MAX, MIN_NORMAL, NAN, NINF, NZERO, ONE, TRUE, TWO, ZERO, A, B, C, Lemma, P, Use
from devsem.ops import OPS

__all__ = ["COMMUTE", "FALSE", "INF", "LEMMAS", "MAX_NEG_NORMAL", "MIN_MAX", "MIN_NORMAL", "NAN", "NINF", "NZERO", "ONE", "REWRITES", "TRUE", "TWO", "ZERO",
           "A", "B", "C", "Lemma", "P", "Use"]


def _commute() -> Iterable[Lemma]:
    for op, lean in (("add_rn", "add"), ("mul_rn", "mul"), *MIN_MAX, ("eq", "eq"), ("same", "same")):
        yield Lemma(lean=f"Fp.{lean}_comm", lhs=mk(op, A, B), rhs=mk(op, B, A), use="commute")
    yield Lemma(lean="Fp.fma_comm", lhs=mk("fma_rn", A, B, C), rhs=mk("fma_rn", B, A, C), use="commute")


def _rows() -> Iterable[Lemma]:
    yield from _commute()
    for group in (lemmas_sign.signs, lemmas_sign.ones, lemmas_sign.zeros, lemmas_nan.through, lemmas_nan.tests, lemmas_integral.classes,
                  lemmas_integral.whole, lemmas_order.facts, lemmas_order.opposites, lemmas_order.logic, lemmas_order.through_min_max, lemmas_order.sums,
                  lemmas_order.monotone, lemmas_order.infinities_and_zeros, lemmas_choice.min_max, lemmas_choice.infinities, lemmas_choice.nested,
                  lemmas_choice.absorption, lemmas_choice.clamps, lemmas_choice.absolute, lemmas_choice.flush, lemmas_sign.zero_aside,
                  lemmas_interval.scalings, lemmas_interval.bounds, lemmas_interval.invalid, lemmas_factors.exact, lemmas_factors.opposites,
                  lemmas_factors.limits, lemmas_between.through, lemmas_between.decided):
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
#   x * 0.5 + x * 0.5 = x, (x * 0.5) * 2 = x     the smallest subnormal; for the second also 0x00800001, which is normal
#   abs x = x for 0 <= x, abs (sqrt x) = sqrt x  -0
#   min (max x lo) hi = max (min x hi) lo        x = NaN, for the kind that ignores NaN: lo and hi
#   min (max x y) z = max (min x z) (min y z)    0, NaN, 1, for the kind that ignores NaN: 0 and 1
#   max (min x y) y = y                          1, NaN, for the kind that ignores NaN: 1 and NaN
#   y <= z, 0 <= x: y / x <= z / x               x = -0, y = -1, z = 1: +inf and -inf
#   ftz (ftz x + ftz y) = ftz x + ftz y          2^-126 and the float after -2^-126: the difference is subnormal
#   floor (ftz x) = floor x                      the smallest subnormal below zero: -0 and -1 (true of rint, trunc and round)
#   posZero (ftz x) = ftz (posZero x)            the same: +0 and -0
#   (x * 2) * y = x * (2 * y)                    the largest number and 2^-126, where only one of the doublings overflows
#   fma x 2 y = x * 2 + y                        the same: 2 * 2^127 - 2^127
#   x * 0.5 + y = fma x 0.5 y                    the smallest subnormal, where halving rounds
#   (x - y <= 0) = (x <= y)                      +inf and +inf
#   eq (abs x) y = (eq x y or eq x (neg y))      x = y = -1
#   ftz (max x 0) = max x 0                      the smallest subnormal
