"""Expressions by this machine's own float32 arithmetic: a second opinion on `devsem/floats.py`, which computes with integers only.

>>> from devsem.expr import F32, mk, var
>>> x = var("x", F32)
>>> [patterns.tolist() == [0x40000000] for patterns in compute([mk("add_rn", x, x)], {x: np.array([0x3F800000], np.uint32)})]
[True]
"""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.expr import Expr, fold
from devsem.ops import F32

Array = npt.NDArray[Any]
SMALLEST = np.float32(2.0 ** -126)


# fenv.h's rounding modes by PTX's names; elsewhere the directed operations are left out
DIRECTIONS: Mapping[str, Mapping[str, int]] = {
    "x86_64": {"rm": 0x400, "rp": 0x800, "rz": 0xC00}, "aarch64": {"rp": 0x400000, "rm": 0x800000, "rz": 0xC00000}}
MODES = DIRECTIONS.get(platform.machine(), {}) if platform.system() == "Linux" else {}


@contextmanager
def _rounding(mode: int) -> Iterator[None]:
    """This thread's arithmetic rounds so; to nearest afterwards."""
    c = ctypes.CDLL(None)
    if c.fesetround(mode):
        raise OSError(f"the C library has no rounding mode {mode:#x}")
    try:
        yield
    finally:
        c.fesetround(0)


def _directed(f: Callable[..., Array], mode: int) -> Callable[..., Array]:
    def g(*args: Array) -> Array:
        with _rounding(mode):
            return f(*args)
    return g


def fma(a: Array, b: Array, c: Array, mode: int = 0) -> Array:
    """The product is exact in binary64; the sum is rounded to odd there, so that rounding it to binary32 rounds once."""
    product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    total = np.asarray(product + addend)
    back = total - product
    error = (product - (total - back)) + (addend - back)
    odd = np.isfinite(total) & (error != 0) & (total.view(np.uint64) & np.uint64(1) == 0)
    toward = np.where((error > 0) == (total > 0), np.int64(1), np.int64(-1))
    fixed = np.where(odd, (total.view(np.int64) + toward).view(np.float64), total)
    with _rounding(mode):
        return np.asarray(np.where(total == 0, product + addend, fixed).astype(np.float32))


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


def _bfloat(a: Array) -> Array:
    """The sum of the low half with half a unit carries into the upper half; a tie is half a unit less one when the unit is even."""
    found = a.view(np.uint32).astype(np.uint64)
    rounded = (found + np.uint64(0x7FFF) + (found >> np.uint64(16) & np.uint64(1)) & np.uint64(0xFFFF0000)).astype(np.uint32).view(np.float32)
    return _select(np.isnan(a), a, rounded)


DIRECTED = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "sqrt": np.sqrt}
ROWS: Mapping[str, Callable[..., Array]] = {
    **{f"{name}_{mode}": _directed(f, number) for name, f in DIRECTED.items() for mode, number in MODES.items()},
    **{f"fma_{mode}": partial(fma, mode=number) for mode, number in MODES.items()},
    "add_rn": np.add, "sub_rn": np.subtract, "mul_rn": np.multiply, "div_rn": np.divide, "sqrt_rn": np.sqrt, "fma_rn": fma, "neg": np.negative, "abs": np.abs,
    "rint": np.rint, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "round_away": lambda a: np.where(np.abs(a) < 2 ** 23, np.copysign(np.floor(np.abs(a.astype(np.float64)) + 0.5), a), a).astype(np.float32),
    "min_num": _choose(True, True), "max_num": _choose(False, True), "min_nan": _choose(True, False), "max_nan": _choose(False, False),
    "ftz": lambda a: _select(np.abs(a) < SMALLEST, np.copysign(np.float32(0), a), a), "pos_zero": lambda a: _select(a == 0, np.zeros_like(a), a),
    "lt": np.less, "le": np.less_equal, "eq": np.equal, "lt_u": _unordered(np.less), "le_u": _unordered(np.less_equal), "eq_u": _unordered(np.equal),
    "same": lambda a, b: _patterns(a) == _patterns(b), "is_nan": np.isnan, "is_inf": np.isinf, "is_finite": np.isfinite,
    "is_zero": lambda a: a == 0, "is_subnormal": lambda a: (a != 0) & (np.abs(a) < SMALLEST), "is_normal": lambda a: np.isfinite(a) & (np.abs(a) >= SMALLEST),
    "sat": lambda a: _select(a > 0, np.minimum(a, np.float32(1)), np.zeros_like(a)),
    "copysign": lambda a, b: np.copysign(a, _select(np.isnan(b), np.zeros_like(b), b)), "sign_bit": lambda a: np.signbit(a) & ~np.isnan(a),
    "round_f16": lambda a: a.astype(np.float16).astype(np.float32), "round_bf16": _bfloat,
    "not": np.logical_not, "and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor, "select": _select, "select_bool": _select,
}


def compute(roots: Sequence[Expr], env: Mapping[Expr, Array]) -> list[Array]:
    """The roots' patterns, NaNs made one; KeyError where this machine has no such operation."""
    lanes = len(next(iter(env.values())))

    def one(node: Expr, args: tuple[Array, ...]) -> Array:
        if node.is_var:
            return np.ascontiguousarray(env[node]).view(np.float32)
        if node.is_const:
            return np.full(1, node.value, np.uint32).view(np.float32) if node.sort == F32 else np.full(1, bool(node.value))
        result = np.asarray(ROWS[node.op](*args))
        return np.ascontiguousarray(result, np.float32) if node.sort == F32 else result

    with np.errstate(all="ignore"):
        values = fold(roots, one)
        return [np.broadcast_to(_patterns(values[r]), (lanes,)) for r in roots]
