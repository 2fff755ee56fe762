"""Functions on equally long blocks of bit patterns become functions of arrays of any shapes; and the classes of a binary32 pattern.

>>> print(truths(nan)([[0x7F800000, 0x7FC00000]]))
[[False  True]]
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.rounding import INF, Bits, Truth

NAN = np.uint32(0x7FFFFFFF)
BLOCK = 1 << 14  # lanes computed at a time: temporaries stay in the cache
Array = npt.NDArray[Any]


def _patterns(x: Any, kind: type[np.generic]) -> Array:
    """An argument as an array; a Python int or a list of them is taken by value."""
    if isinstance(x, (int, list)):
        return np.array(x, dtype=kind)
    out = np.asarray(x)
    if out.dtype != kind:
        raise TypeError(f"bit patterns are {np.dtype(kind)} here, got {out.dtype}")
    return out


def lanes(f: Callable[..., Array], out: type[np.generic], takes: type[np.generic] = np.uint32) -> Callable[..., Array]:
    """`f` on equally long one-dimensional blocks becomes a function of arguments of any shapes."""
    @functools.wraps(f)
    def on_arrays(*args: Any) -> Array:
        arrays = np.broadcast_arrays(*(_patterns(a, takes) for a in args))
        flat = [a.reshape(-1) for a in arrays]
        result = np.empty(flat[0].shape, dtype=out)
        for start in range(0, len(result), BLOCK):
            result[start:start + BLOCK] = f(*(a[start:start + BLOCK] for a in flat))
        return result.reshape(arrays[0].shape)
    return on_arrays


def numbers(f: Callable[..., Bits]) -> Callable[..., Bits]:
    """An operation on F32 with an F32 result, NaNs made canonical."""
    return lanes(functools.wraps(f)(lambda *args: canonical(f(*args))), np.uint32)


def truths(f: Callable[..., Truth]) -> Callable[..., Truth]:
    """An operation on F32 with a BOOL result."""
    return lanes(f, np.bool_)


# --- classes of patterns ---


def magnitude(x: Bits) -> Bits:
    """The bits below the sign."""
    return x & NAN


def nan(x: Bits) -> Truth:
    """Is it a NaN?"""
    return magnitude(x) > INF


def inf(x: Bits) -> Truth:
    """Is it an infinity?"""
    out: Truth = magnitude(x) == INF
    return out


def zero(x: Bits) -> Truth:
    """Is it a zero?"""
    out: Truth = magnitude(x) == 0
    return out


def canonical(x: Bits) -> Bits:
    """Every NaN becomes 0x7fffffff."""
    return np.where(nan(x), NAN, x)
