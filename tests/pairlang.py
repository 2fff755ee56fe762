"""Words to write pairs of expressions with, as kernels and specifications have them: the tables of `true_pairs.py` and `near_misses.py` use them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from devsem.expr import Expr, bits, const, mk, var
from devsem.ops import BOOL, F32
from devsem.prove import Hypothesis


def row(op: str) -> Callable[..., Expr]:
    """An operation as a function of expressions and numbers."""
    return lambda *args: mk(op, *(a if isinstance(a, Expr) else const(float(a)) for a in args))


add, sub, mul, div, fma, sqrt = map(row, ("add_rn", "sub_rn", "mul_rn", "div_rn", "fma_rn", "sqrt_rn"))
neg, ab, lo, hi, lo_nan, hi_nan, pz, ftz = map(row, ("neg", "abs", "min_num", "max_num", "min_nan", "max_nan", "pos_zero", "ftz"))
floor, ceil, trunc, rint, sat = map(row, ("floor", "ceil", "trunc", "rint", "sat"))
sel, lt, le, eq, nan, isinf, finite, same = map(row, ("select", "lt", "le", "eq", "is_nan", "is_inf", "is_finite", "same"))
no, both, either, exactly_one, eq_u, lt_u = map(row, ("not", "and", "or", "xor", "eq_u", "lt_u"))
x, y, z, a, b = (var(n, F32) for n in "xyzab")
p, q = (var(n, BOOL) for n in "pq")
INF, LARGEST, NORMAL, NAN = bits(0x7F800000), bits(0x7F7FFFFF), bits(0x00800000), bits(0x7FFFFFFF)


def gt(u: Expr | float, v: Expr | float) -> Expr:
    """`u > v`."""
    return lt(v, u)


def ge(u: Expr | float, v: Expr | float) -> Expr:
    """`u >= v`."""
    return le(v, u)


def ne(u: Expr | float, v: Expr | float) -> Expr:
    """`u != v`: true on NaN."""
    return no(eq(u, v))


def clamped(v: Expr, low: Expr | float, high: Expr | float) -> Expr:
    """torch.clamp."""
    r = sel(lt(v, low), low, v)
    return sel(lt(high, r), high, r)


def numbers(*terms: Expr) -> tuple[Expr, ...]:
    """The terms are not NaN."""
    return tuple(no(nan(t)) for t in terms)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two sides that are equal wherever the conditions hold; `zero_sign`: with -0 taken as +0."""

    name: str
    left: Expr
    right: Expr
    given: tuple[Expr, ...] = ()
    zero_sign: bool = False

    @property
    def sides(self) -> tuple[Expr, Expr]:
        """What is to be proved equal."""
        return (pz(self.left), pz(self.right)) if self.zero_sign else (self.left, self.right)

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The conditions as the prover takes them."""
        return tuple(Hypothesis(f"given{i}", g) for i, g in enumerate(self.given))
