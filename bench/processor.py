"""Expressions by this machine's own float32 arithmetic: a second opinion on `devsem/floats.py`, which computes with integers only.

>>> from devsem.expr import F32, mk, var
>>> x = var("x", F32)
>>> compute(mk("add_rn", x, x), {x: np.array([0x3F800000], np.uint32)}).tolist() == [0x40000000]
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.expr import Expr, fold, topo
from devsem.ops import F32

Array = npt.NDArray[Any]
SMALLEST = np.float32(2.0 ** -126)


def fma(a: Array, b: Array, c: Array) -> Array:
    """The product is exact in binary64; the sum is rounded to odd there, so that rounding it to binary32 rounds once."""
    product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    total = np.asarray(product + addend)
    back = total - product
    error = (product - (total - back)) + (addend - back)
    odd = np.isfinite(total) & (error != 0) & (total.view(np.uint64) & np.uint64(1) == 0)
    toward = np.where((error > 0) == (total > 0), np.int64(1), np.int64(-1))
    fixed = np.where(odd, (total.view(np.int64) + toward).view(np.float64), total)
    return np.asarray(np.where(odd & (total == 0), error, fixed).astype(np.float32))


def _choose(least: bool, number: bool) -> Callable[..., Array]:
    def f(a: Array, b: Array) -> Array:
        first = np.where(a == b, np.signbit(a) == least, (a < b) == least)
        other = np.where(np.isnan(a), b, a) if number else np.full_like(a, np.nan)
        return np.asarray(np.where(np.isnan(a) | np.isnan(b), other, np.where(first, a, b)))
    return f


def _select(c: Array, a: Array, b: Array) -> Array:
    return np.where(c, a, b)


def _unordered(f: Callable[..., Array]) -> Callable[..., Array]:
    return lambda a, b: np.isnan(a) | np.isnan(b) | f(a, b)


def _patterns(x: Array) -> Array:
    found = x.view(np.uint32)
    return np.where(found & np.uint32(0x7FFFFFFF) > 0x7F800000, np.uint32(0x7FFFFFFF), found)


ROWS: Mapping[str, Callable[..., Array]] = {
    "add_rn": np.add, "sub_rn": np.subtract, "mul_rn": np.multiply, "div_rn": np.divide, "sqrt_rn": np.sqrt, "fma_rn": fma, "neg": np.negative, "abs": np.abs,
    "rint": np.rint, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "round_away": lambda a: np.where(np.abs(a) < 2 ** 23, np.copysign(np.floor(np.abs(a.astype(np.float64)) + 0.5), a), a).astype(np.float32),
    "min_num": _choose(True, True), "max_num": _choose(False, True), "min_nan": _choose(True, False), "max_nan": _choose(False, False),
    "ftz": lambda a: _select(np.abs(a) < SMALLEST, np.copysign(np.float32(0), a), a), "pos_zero": lambda a: _select(a == 0, np.zeros_like(a), a),
    "lt": np.less, "le": np.less_equal, "eq": np.equal, "lt_u": _unordered(np.less), "le_u": _unordered(np.less_equal), "eq_u": _unordered(np.equal),
    "same": lambda a, b: _patterns(a) == _patterns(b), "is_nan": np.isnan, "is_inf": np.isinf, "is_finite": np.isfinite,
    "is_zero": lambda a: a == 0, "is_subnormal": lambda a: (a != 0) & (np.abs(a) < SMALLEST), "is_normal": lambda a: np.isfinite(a) & (np.abs(a) >= SMALLEST),
    "round_f16": lambda a: a.astype(np.float16).astype(np.float32),
    "not": np.logical_not, "and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor, "select": _select, "select_bool": _select,
}


def compute(root: Expr, env: Mapping[Expr, Array]) -> Array | None:
    """The root's patterns, NaNs made one; None where this machine has no such operation."""
    if any(n.args and n.op not in ROWS for n in topo(root)):
        return None
    lanes = len(next(iter(env.values())))

    def one(node: Expr, args: tuple[Array, ...]) -> Array:
        if node.is_var:
            return np.ascontiguousarray(env[node]).view(np.float32)
        if node.is_const:
            return np.full(lanes, node.value, np.uint32).view(np.float32) if node.sort == F32 else np.full(lanes, bool(node.value))
        result = np.asarray(ROWS[node.op](*args))
        return np.ascontiguousarray(result, np.float32) if node.sort == F32 else result

    with np.errstate(all="ignore"):
        return _patterns(fold((root,), one)[root])
