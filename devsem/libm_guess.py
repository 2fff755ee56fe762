"""The intervals of `libm_ranges.py`, nearly, on whole arrays: they only propose inputs, and `libm_ranges.interval` decides.

>>> from devsem.ranges import exactly
>>> import numpy as np
>>> y = guess("D.tanh_approx")([exactly(np.array([0x3f800000], dtype=np.uint32))])
>>> bool(y.low[0] < 0x3f42f7d6 < y.high[0])
True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem import floats, libm_values, ranges
from devsem.lanes import NAN
from devsem.libm import ERRORS, ROWS, Error, silent, without_side
from devsem.libm_ranges import FALLS, RISES, WAVES
from devsem.ops import LIBM1, LIBM2
from devsem.ranges import Range

Array = npt.NDArray[Any]
INF = 0x7F800000
ONE = np.uint32(0x3F800000)


def _ordinal(x: Array) -> Array:
    mag = (x & np.uint32(0x7FFFFFFF)).astype(np.int64)
    return np.where(x >= 0x80000000, -mag, mag)


def _pattern(position: Array) -> Array:
    inside = np.clip(position, -INF, INF)
    return np.where(inside < 0, 0x80000000 - inside, inside).astype(np.uint32)


def _widened(x: Array, errors: Sequence[tuple[Error, Array]], steps: Array, direction: int) -> Array:
    """The value moved by its error: the first that applies to the lane."""
    exact = x.view(np.float32).astype(np.float64)
    out = _ordinal(x) + direction * steps
    for error, where in reversed(errors):
        if error.kind == "ulp":
            moved = _ordinal(x) + direction * (int(error.size) * steps + steps)
        else:
            with np.errstate(all="ignore"):
                size = error.size if error.kind == "absolute" else np.abs(exact) * error.size
                moved = _ordinal(np.asarray((exact + direction * size).astype(np.float32)).view(np.uint32)) + direction
        out = np.where(where, moved, out)
    return _pattern(out)


def _applies(name: str, x: Array) -> list[tuple[Error, Array]]:
    """Which error counts where, by the first argument."""
    size = np.abs(x.view(np.float32).astype(np.float64))
    spans = {"lg2_approx": ((0.5, 2.0), (0.0, np.inf)), "sin_approx": ((0.0, 6.28318), (0.0, 314.159)), "cos_approx": ((0.0, 6.28318), (0.0, 314.159))}
    found = spans.get(name, ((0.0, np.inf),) * len(ERRORS[name]))
    return [(e, (size >= a) & (size <= b)) for e, (a, b) in zip(ERRORS[name], found, strict=True)]


def _special(name: str, args: Sequence[Array], value: Array) -> Array:
    """Where documents fix the value: zeros and infinities, and what the rows of `libm.py` say beside them."""
    zero = reduce(np.logical_or, (a & 0x7FFFFFFF == 0 for a in args))
    infinite = (value & 0x7FFFFFFF == INF) | reduce(np.logical_or, (a & 0x7FFFFFFF == INF for a in args))
    one = (args[0] == ONE) & np.bool_(name.startswith("log"))
    through = (args[0] & 0x7FFFFFFF < 0x00800000) & np.bool_(name == "tanh_approx")
    return np.asarray(zero | infinite | one | through)


def _monotone(name: str, args: Sequence[Range]) -> Array:
    """Where the ends of the arguments give the ends of the result."""
    low, high = (np.asarray(x).view(np.float32) for x in (args[0].low, args[0].high))
    if len(args) > 1:
        divisor = args[1]
        one_sign = floats.lt(0, divisor.low) | floats.lt(divisor.high, 0)
        return one_sign if name in ("div_approx", "div_full") else (low > 0) & np.bool_(name == "powf")
    domains = (RISES[name],) if name in RISES else FALLS.get(name, ())
    with np.errstate(invalid="ignore"):
        return reduce(np.logical_or, ((low >= a) & (high <= b) for a, b in domains), np.zeros(low.shape, dtype=np.bool_))


def _plain(name: str, args: Sequence[Range], only_special: bool) -> Range:
    """The interval of a function without flushing; `only_special` where documents give nothing but special values."""
    corners = [libm_values.nominal(name, *c) for c in product(*((a.low, a.high) for a in args))]
    numbers = reduce(np.logical_and, (~floats.is_nan(c) for c in corners)) & reduce(np.logical_and, (a.number for a in args))
    exact = reduce(np.logical_and, (a.exact for a in args))
    low, high = reduce(ranges.lesser, corners), reduce(ranges.greater, corners)
    fixed = exact & _special(name, [a.low for a in args], low)
    errors, steps = _applies(name, args[0].low), np.where(exact, 1, 2)
    wide = ranges.between(_widened(low, errors, steps, -1), _widened(high, errors, steps, 1))
    usable = fixed | (~np.bool_(only_special) & (exact | _monotone(name, args)))
    out = Range(np.where(fixed, low, wide.low), np.where(fixed, low, wide.high), numbers & usable)
    if name in WAVES:
        around = ~exact & reduce(np.logical_and, (a.number for a in args))
        out = Range(np.where(around, 0xBF800100, out.low), np.where(around, 0x3F800100, out.high), out.known | around)
    lost = exact & floats.is_nan(corners[0])
    return Range(np.where(lost, NAN, out.low), np.where(lost, NAN, out.high), out.known | lost)


def _flushed(r: Range) -> Range:
    whole = ranges.between(floats.ftz(r.low), floats.ftz(r.high))
    value = floats.ftz(r.low)
    return Range(np.where(r.exact, value, whole.low), np.where(r.exact, value, whole.high), r.known)


def guess(row: str) -> Callable[[Sequence[Range]], Range]:
    """The obligation `row` on arrays of intervals, nearly right."""
    name = without_side(row)
    if ROWS[name].rule is silent:
        return lambda args: ranges.unknown(np.asarray(args[-1].low))
    for ending, op in (("_add", "add_rn"), ("_rsub", "sub_rn")):
        if name.endswith(ending):
            inner = guess(name.removesuffix(ending))
            return lambda args: ranges.step(op, [inner(args[:-1]), args[-1]] if op == "add_rn" else [args[-1], inner(args[:-1])])
    base = name.removesuffix("_ftz")
    if base == name:
        return lambda args: _plain(base, args, False)
    only_special = base in (*LIBM1, *LIBM2) and base != "expf"
    return lambda args: _flushed(_plain(base, [_flushed(a) for a in args], only_special))
