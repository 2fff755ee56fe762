"""Operations on values of which only an interval is known, on arrays: a lane is exact, between two ends, or unknown.

Rounding keeps order, so the results at the ends bound every result between them; `RULES` asks of the ends what the lemmas of
`lemmas_between.py` ask, so that a proof can follow. An interval is one of numbers in the order of `le`: it never holds a NaN, and with
one zero it holds both.

>>> a, b = between([0x3f800000], [0x40000000]), exactly(np.array([0x40400000], dtype=np.uint32))
>>> total = step("mul_rn", [a, b])
>>> hex(total.low[0]), hex(total.high[0])
('0x40400000', '0x40c00000')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem import evaluate, floats
from devsem.expr import Expr, fold
from devsem.lanes import NAN
from devsem.ops import F32, OPS

Array = npt.NDArray[Any]
ZERO, MINUS_ZERO, INF, MINUS_INF = (np.uint32(p) for p in (0, 0x80000000, 0x7F800000, 0xFF800000))


@dataclass(frozen=True)
class Range:
    """Lanes: exact where `known` and the ends are one pattern, else between the ends where `known`. A truth value is between false and true."""

    low: Array
    high: Array
    known: Array

    @property
    def exact(self) -> Array:
        """Where the value is one pattern."""
        return np.asarray(self.known & (self.low == self.high))

    @property
    def number(self) -> Array:
        """Where the value is known to be no NaN."""
        return np.asarray(self.known & ~floats.is_nan(self.low))

    def take(self, lanes: Array) -> Range:
        """Some lanes, or some of them several times."""
        return Range(self.low[lanes], self.high[lanes], self.known[lanes])


def exactly(values: Array) -> Range:
    """Lanes that are known."""
    return Range(values, values, np.ones(values.shape, dtype=np.bool_))


def unknown(like: Array) -> Range:
    """Lanes of which nothing is known, of the sort of `like`."""
    none = np.zeros(like.shape, dtype=np.bool_)
    return Range(np.zeros_like(like), np.ones_like(like) if like.dtype == np.bool_ else np.zeros_like(like), none)


def between(low: Any, high: Any) -> Range:
    """Numbers from `low` to `high`; an end that is a zero stands for both zeros."""
    a, b = np.asarray(low, dtype=np.uint32), np.asarray(high, dtype=np.uint32)
    return Range(np.where(a & 0x7FFFFFFF == 0, MINUS_ZERO, a), np.where(b & 0x7FFFFFFF == 0, ZERO, b), np.ones(a.shape, dtype=np.bool_))


def hull(*parts: Range) -> Range:
    """The smallest interval with all of them; unknown where one is not known to be a number."""
    numbers = reduce(np.logical_and, (p.number for p in parts))
    whole = between(reduce(lesser, (p.low for p in parts)), reduce(greater, (p.high for p in parts)))
    same = reduce(np.logical_and, (p.exact & (p.low == parts[0].low) for p in parts))
    return Range(np.where(same, parts[0].low, whole.low), np.where(same, parts[0].low, whole.high), numbers | same)


def lesser(a: Array, b: Array) -> Array:
    """The lesser of two numbers; of two zeros, the first."""
    return np.where(floats.lt(b, a), b, a)


def greater(a: Array, b: Array) -> Array:
    """The greater of two numbers; of two zeros, the first."""
    return np.where(floats.lt(a, b), b, a)


# --- operations on numbers between ends: the ends of the result, and where they hold ---

Ends = tuple[Array, Array, Array]


def _bounded(a: Range) -> Array:
    return floats.is_finite(a.low) & floats.is_finite(a.high)


def _off(a: Range) -> Array:
    return floats.lt(ZERO, a.low) | floats.lt(a.high, ZERO)


def _corners(f: Callable[..., Array], args: Sequence[Range], where: Array) -> Ends:
    """The least and the greatest result at the ends."""
    found = [f(*corner) for corner in product(*((a.low, a.high) for a in args))]
    numbers = reduce(np.logical_and, (~floats.is_nan(r) for r in found))
    return reduce(lesser, found), reduce(greater, found), where & numbers


def _add(a: Range, b: Range) -> Ends:
    low, high = floats.add(a.low, b.low), floats.add(a.high, b.high)
    above = floats.lt(MINUS_INF, a.low) & floats.lt(MINUS_INF, b.low)
    below = floats.lt(a.high, INF) & floats.lt(b.high, INF)
    return low, high, (_bounded(a) | _bounded(b) | above | below) & ~floats.is_nan(low) & ~floats.is_nan(high)


def _negated(a: Range) -> Range:
    return Range(floats.neg(a.high), floats.neg(a.low), a.known)


def _mul(a: Range, b: Range) -> Ends:
    return _corners(floats.mul, (a, b), (_bounded(a) | _off(b)) & (_bounded(b) | _off(a)))


def _div(a: Range, b: Range) -> Ends:
    return _corners(floats.div, (a, b), _off(b) & (_bounded(a) | _bounded(b)))


def _fma(a: Range, b: Range, c: Range) -> Ends:
    return _corners(floats.fma, (a, b, c), _bounded(a) & _bounded(b) & _bounded(c))


def _rising(f: Callable[[Array], Array]) -> Callable[[Range], Ends]:
    return lambda a: (f(a.low), f(a.high), ~floats.is_nan(f(a.low)) & ~floats.is_nan(f(a.high)))


def _abs(a: Range) -> Ends:
    ends = floats.abs_(a.low), floats.abs_(a.high)
    return np.where(_off(a), lesser(*ends), ZERO), greater(*ends), a.known


def _each(choose: Callable[[Array, Array], Array]) -> Callable[[Range, Range], Ends]:
    return lambda a, b: (choose(a.low, b.low), choose(a.high, b.high), a.known)


RULES: Mapping[str, Callable[..., Ends]] = {
    "add_rn": _add, "sub_rn": lambda a, b: _add(a, _negated(b)), "mul_rn": _mul, "div_rn": _div, "fma_rn": _fma, "sqrt_rn": _rising(floats.sqrt),
    "neg": lambda a: (floats.neg(a.high), floats.neg(a.low), a.known), "abs": _abs, "ftz": _rising(floats.ftz), "pos_zero": _rising(lambda x: x),
    "min_num": _each(lesser), "min_nan": _each(lesser), "max_num": _each(greater), "max_nan": _each(greater),
}
ABSORB = ("add_rn", "sub_rn", "mul_rn", "div_rn", "fma_rn", "sqrt_rn", "min_nan", "max_nan", "ftz", "neg", "abs")   # a NaN makes the result NaN
PREFER = ("min_num", "max_num")     # a NaN gives way to the other


def _arithmetic(op: str, args: Sequence[Range], value: Array) -> Range:
    """A float of floats; `value` is right where all arguments are exact."""
    low, high, known = value, value, reduce(np.logical_and, (a.exact for a in args))
    free = ~known & reduce(np.logical_and, (a.number for a in args))
    if op in RULES and free.any():
        left, right, holds = RULES[op](*args)
        found, use = between(left, right), free & holds
        low, high, known = np.where(use, found.low, low), np.where(use, found.high, high), known | use
    nan = [a.exact & floats.is_nan(a.low) for a in args]
    if op == "fma_rn":
        nan.append(args[0].exact & args[1].exact & floats.is_nan(floats.mul(args[0].low, args[1].low)))
    lost = reduce(np.logical_or, nan) if op in ABSORB else np.zeros_like(known)
    out = Range(np.where(lost, NAN, low), np.where(lost, NAN, high), known | lost)
    if op in PREFER:
        for missing, other in zip(nan, reversed(args), strict=True):
            out = _where(missing & ~out.known, other, out)
    return out


def _where(condition: Array, a: Range, b: Range) -> Range:
    return Range(np.where(condition, a.low, b.low), np.where(condition, a.high, b.high), np.where(condition, a.known, b.known))


EITHER: Mapping[str, Callable[[Range, Range], Range]] = {"select": hull, "select_bool": lambda a, b: _truth(a.low & b.low, a.high | b.high)}
CHOICES = ("select", "select_bool", "select_b32", "select_b64")


def _select(op: str, condition: Range, a: Range, b: Range) -> Range:
    either = EITHER[op](a, b) if op in EITHER else unknown(a.low)
    return _where(condition.exact, _where(condition.low, a, b), either)


# --- truth values ---


def _truth(low: Array, high: Array) -> Range:
    return Range(low, high, np.asarray(low == high))


def _compare(op: str, a: Range, b: Range) -> Range:
    """Comparisons, ordered or not, of two numbers, or with a NaN."""
    base, numbers = op.removesuffix("_u"), a.number & b.number
    above, below = floats.lt(b.high, a.low), floats.lt(a.high, b.low)
    yes, no = {"lt": (below, floats.le(b.high, a.low)), "le": (floats.le(a.high, b.low), above), "eq": (np.zeros_like(above), above | below)}[base]
    nan = (a.exact & floats.is_nan(a.low)) | (b.exact & floats.is_nan(b.low))
    unordered = np.full_like(numbers, op != base)
    return _truth(np.where(numbers, yes, nan & unordered), np.where(numbers, ~no, ~nan | unordered))


def _class(op: str, a: Range) -> Range:
    """Tests for NaN, infinities and numbers."""
    fixed = {"is_nan": a.number, "is_inf": a.number & _bounded(a), "is_finite": a.number & _bounded(a)}[op]
    return _truth(fixed & (op == "is_finite"), ~fixed | (op == "is_finite"))


TRUTH: Mapping[str, Callable[..., Range]] = {
    "not": lambda a: _truth(~a.high, ~a.low), "and": lambda a, b: _truth(a.low & b.low, a.high & b.high),
    "or": lambda a, b: _truth(a.low | b.low, a.high | b.high),
    **{op: partial(_compare, op) for op in ("lt", "le", "eq", "lt_u", "le_u", "eq_u")},
    **{op: partial(_class, op) for op in ("is_nan", "is_inf", "is_finite")},
}


def step(op: str, args: Sequence[Range]) -> Range:
    """An exact operation. What has no rule is known where all its arguments are exact."""
    if op in CHOICES:
        return _select(op, *args)
    exact = reduce(np.logical_and, (a.exact for a in args))
    value = evaluate.apply(op, [a.low for a in args], {})
    if exact.all():
        return exactly(value)
    if op in TRUTH:
        return _where(exact, exactly(value), TRUTH[op](*args))
    if OPS[op].out == F32 and all(sort == F32 for sort in OPS[op].args):
        return _arithmetic(op, args, value)
    return _where(exact, exactly(value), unknown(value))


def apart(a: Range, b: Range) -> Array:
    """Where two values are known to be different patterns: two exact ones, intervals with no value in common, or a number and NaN."""
    exact, numbers = a.exact & b.exact, a.number & b.number
    disjoint = floats.lt(a.high, b.low) | floats.lt(b.high, a.low)
    nan = (a.exact & floats.is_nan(a.low) & b.number) | (b.exact & floats.is_nan(b.low) & a.number)
    return np.asarray(np.where(exact, a.low != b.low, (numbers & disjoint) | nan))


def evaluate_ranges(roots: Sequence[Expr], env: Mapping[Expr, Array], functions: Mapping[str, Callable[[Sequence[Range]], Range]]) -> list[Range]:
    """The roots' values lane by lane; `functions` gives each obligation row its intervals."""
    lanes = max((len(x) for x in env.values()), default=1)

    def one(node: Expr, args: tuple[Range, ...]) -> Range:
        if not args:
            return exactly(np.broadcast_to(evaluate.leaf(node, env), (lanes,)))
        return functions[node.op](args) if node.op in functions else step(node.op, args)
    values = fold(roots, one)
    return [values[r] for r in roots]


def tiny(a: Range) -> Array:
    """Where a value is subnormal, and so no flushed result."""
    ends = floats.is_subnormal(a.low) & floats.is_subnormal(a.high)
    return np.asarray(a.number & ends & _off(a))
