"""Floats in order: the ordinal of a float is its magnitude pattern with its sign; 0 is both zeros, and beyond infinity ordinals go on.

An exact number is given in units of 2^-149, of which every finite binary32 is a whole multiple.

>>> nearest(3, 1), below(1 << 24), above(-1)
(2, 16777216, -1)
"""

from __future__ import annotations

import struct
from typing import Any

from devsem import libm_values

NAN, INF, SIGN = 0x7FFFFFFF, 0x7F800000, 0x80000000
UNIT = 149


def number(bits: int) -> float:
    """The value of a pattern; a Python float holds every binary32."""
    value: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    return value


def ordinal(bits: int) -> int:
    """The ordinal of a pattern that is no NaN."""
    return -(bits & NAN) if bits & SIGN else bits


def units(position: int) -> int:
    """The value of an ordinal in units; infinity is 2^128, as if exponents had no end."""
    mag = abs(position)
    value = mag if mag < 1 << 24 else (mag & 0x7FFFFF | 0x800000) << (mag >> 23) - 1
    return -value if position < 0 else value


def below(value: int) -> int:
    """The ordinal of the largest float at most `value` units."""
    if value < 0:
        return -above(-value)
    shift = max(0, value.bit_length() - 24)
    return (shift << 23) + (value >> shift)


def above(value: int) -> int:
    """The ordinal of the smallest float at least `value` units."""
    if value < 0:
        return -below(-value)
    shift = max(0, value.bit_length() - 24)
    return below(value + (1 << shift) - 1)


def nearest(value: int, fraction_bits: int) -> int:
    """`value` / 2^fraction_bits rounded to 24 significant bits, to even, in units."""
    mag = abs(value)
    drop = max(mag.bit_length() - 24, fraction_bits)
    kept, rest = mag >> drop, (mag & ((1 << drop) - 1)) << 1
    kept += rest > 1 << drop or (rest == 1 << drop and kept & 1)
    rounded = kept << (drop - fraction_bits)
    return -rounded if value < 0 else rounded


def around(value: Any, steps: int) -> tuple[int, int]:
    """First and last ordinal within `steps` floats, or within `steps` ulps of it, of the real `value` correctly rounded."""
    found = []
    for end in libm_values.scaled(value, UNIT + 64):
        rounded = nearest(end, 64)
        reach = steps << max(0, abs(rounded).bit_length() - 24)
        found += [below(rounded) - steps, above(rounded) + steps, above(rounded - reach), below(rounded + reach)]
    return min(found), max(found)


def patterns(low: int, high: int, limit: int) -> tuple[int, ...] | None:
    """The patterns of all floats from ordinal `low` to `high`, cut at the infinities; None if more than `limit`."""
    low, high = max(-INF, min(INF, low)), max(-INF, min(INF, high))
    if high - low >= limit:
        return None
    zeros = (0, SIGN) if low <= 0 <= high else ()
    return tuple(sorted((*(p if p > 0 else SIGN | -p for p in range(low, high + 1) if p), *zeros)))
