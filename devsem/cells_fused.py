"""What a written value can be on one input however the compiler fuses its products, and whether or not it knows a number.

A product that is added may be fused or rounded, each by itself: an unrounded number lies between the neighbours of the rounded one. Under
-ftz=true an operation that the compiler folds is not flushed. This is wider than what any compiler does; what it keeps apart is apart.

>>> from devsem.expr import F32, var
>>> from devsem.profile import load_profile
>>> a, b = var("a", F32), var("b", F32)
>>> e = mk("w_add", mk("w_mul", a, a), b)
>>> r = anyway(e, load_profile("h100"), {"a": 0x3F800800, "b": 0xBF801000})
>>> hex(r.low[0]), hex(r.high[0])
('0x80000000', '0x34000000')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from devsem import floats, libm, libm_ranges, ranges
from devsem.contract import PRODUCTS, SUMS
from devsem.enclose import enclose
from devsem.evaluate import leaf
from devsem.expr import Expr, fold, mk, topo, var
from devsem.lower import lower, prepare
from devsem.ops import F32, OPS
from devsem.profile import Profile
from devsem.ranges import Range

SIGNS = ("w_neg", "w_abs", "w_hold")
MAX, INF = 0x7F7FFFFF, 0x7F800000
LETTERS = "abcde"


def differs(written: Expr, spec: Expr, profile: Profile, inputs: Mapping[str, int]) -> bool:
    """Is the kernel's value another than the spec's on this input, whatever is fused?"""
    env = {var(name, F32): pattern for name, pattern in inputs.items()}
    given = anyway(written, profile, inputs)
    return given is not None and bool(ranges.apart(given, enclose([spec], env, 1, 1).roots[0]).all())


def anyway(written: Expr, profile: Profile, inputs: Mapping[str, int]) -> Range | None:
    """All that the value can be; None where the profile's compiler rewrites it, which is not covered."""
    plain = replace(profile, contract=False)
    if prepare((written,), plain).values != (written,):
        return None
    env = {var(name, F32): np.array([pattern], np.uint32) for name, pattern in inputs.items()}
    rows = {op: lower(mk(op, *_letters(op)), plain, ()) for op in {n.op for n in topo(written) if n.args}}

    def one(node: Expr, args: tuple[tuple[Range, Range], ...]) -> tuple[Range, Range]:
        """The value, and what it is where a sum takes it: as it is, or unrounded if it may be a product."""
        if not node.args:
            known = ranges.exactly(leaf(node, env))
            return known, known
        values = [value for value, _ in args]
        if node.op in SUMS:
            value = ranges.hull(*(_row(rows[node.op], [a, b], profile) for a in args[0] for b in args[1]))
            return value, value
        value = _row(rows[node.op], values, profile)
        if node.op in SIGNS:
            return value, _row(rows[node.op], [args[0][1]], profile)
        if node.op == "select":
            return value, ranges.step("select", [values[0], args[1][1], args[2][1]])
        return value, _unrounded(node.op, value, values) if node.op in PRODUCTS else value
    return fold((written,), one)[written][0]


def _letters(op: str) -> list[Expr]:
    return [var(LETTERS[i], sort) for i, sort in enumerate(OPS[op].args)]


def _row(row: Expr, args: Sequence[Range], profile: Profile) -> Range:
    """A lowered operation on ranges; where the profile flushes, flushed or not."""
    env = dict(zip(LETTERS, args, strict=False))

    def one(node: Expr, below: tuple[Range, ...]) -> Range:
        if node.is_var:
            return env[node.name]
        if node.is_const:
            return ranges.exactly(leaf(node, {}))
        if OPS[node.op].kind == "obligation":
            return _obligation(node.op, below)
        found = ranges.step(node.op, below)
        return ranges.hull(found, below[0]) if node.op == "ftz" else found
    return fold((row,), one)[row]


def _obligation(row: str, args: Sequence[Range]) -> Range:
    """What documents allow."""
    nothing = ranges.unknown(np.zeros(1, np.uint32))
    if all(bool(a.exact[0]) for a in args):
        allowed = libm.allowed(row, tuple(int(a.low[0]) for a in args))
        if allowed is not None:
            return ranges.hull(*(ranges.exactly(np.array([p], np.uint32)) for p in allowed))
    if not all(bool(a.number[0]) for a in args):
        return nothing
    found = libm_ranges.interval(row, tuple(int(a.low[0]) for a in args), tuple(int(a.high[0]) for a in args))
    return ranges.between([found[0]], [found[1]]) if found is not None else nothing


def _unrounded(op: str, value: Range, factors: Sequence[Range]) -> Range:
    """A product before it is rounded: up to the neighbours of its ends. A factor that is infinite or NaN makes it exact."""
    special = any(bool(f.exact[0]) and int(f.low[0]) & 0x7FFFFFFF >= INF for f in factors)
    if special or not bool(value.number[0]):
        return value
    if op == "w_mul" and all(bool(f.exact[0]) for f in factors):
        below, above = (floats.mul(factors[0].low, factors[1].low, mode=mode) for mode in ("rm", "rp"))
        return value if int(below[0]) == int(above[0]) else ranges.between(below, above)
    return ranges.between(_next(value.low, False), _next(value.high, True))


def _next(pattern: Any, up: bool) -> Any:
    """The neighbour of a number, above or below; an infinity that may be a large number becomes the largest."""
    p = int(pattern[0])
    mag, negative = p & 0x7FFFFFFF, bool(p >> 31)
    if mag == 0:
        return np.array([1 if up else 0x80000001], np.uint32)
    away = negative != up
    if mag == INF:
        return np.array([p if away else p - 1], np.uint32)
    return np.array([p + 1 if away else p - 1], np.uint32)
