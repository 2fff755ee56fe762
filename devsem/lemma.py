"""What a row of the lemma pool is, and the words its statements are written with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from devsem.expr import Expr, bits, const, const_bool, mk, var, variables
from devsem.ops import BOOL, F32

Use = Literal["rewrite", "order", "class", "flush", "commute", "nested", "interval"]

A, B, C, D, E, R, S = (var(n, F32) for n in "abcders")
L, H, X, Y, Z = (var(n, F32) for n in "lhxyz")
P = var("p", BOOL)
ORDER = (A, B, C, D, E, R, S, L, H, P, X, Y, Z)
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

    @cached_property
    def variables(self) -> tuple[Expr, ...]:
        """The pattern variables of the statement in the order a, b, c, d, e, r, s, l, h, p, x, y, z."""
        roots = [self.lhs, self.rhs, *(e for pair in self.given for e in pair), *(e for _, args in self.closed for e in args)]
        found = variables(*roots)
        return tuple(v for v in ORDER if v in found)


MIN_MAX = (("min_num", "minNum"), ("max_num", "maxNum"), ("min_nan", "minNan"), ("max_nan", "maxNan"))
ROUNDED_TO_WHOLE = (("rint", "rint"), ("floor", "floor"), ("ceil", "ceil"), ("trunc", "trunc"), ("round_away", "roundAway"))


def fun(op: str) -> Callable[..., Expr]:
    """An operation as a Python function."""
    return lambda *args: mk(op, *args)


def holds(condition: Expr) -> tuple[Expr, Expr]:
    """The condition is true."""
    return condition, TRUE


def fails(condition: Expr) -> tuple[Expr, Expr]:
    """The condition is false."""
    return condition, FALSE


def number(e: Expr) -> tuple[Expr, Expr]:
    """The value is not NaN."""
    return mk("is_nan", e), FALSE
