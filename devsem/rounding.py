"""Finite binary32 values as integers, and the one rounding from there back to a pattern.

A finite value is `(negative, sig, exp)`: `±sig * 2^exp`, with sig and exp int64. Inexact values are *jammed*: the lowest bit of
sig is set if anything nonzero was dropped below it, which rounding at a higher bit cannot tell from the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Bits: TypeAlias = npt.NDArray[np.uint32]
Truth: TypeAlias = npt.NDArray[np.bool_]
Ints: TypeAlias = npt.NDArray[np.int64]
Finite: TypeAlias = tuple[Truth, Ints, Ints]
# to nearest with ties to even, towards zero, towards minus infinity, towards plus infinity: PTX's names
Mode: TypeAlias = Literal["rn", "rz", "rm", "rp"]
# C's roundf, which no format's arithmetic uses: to nearest, ties away from zero
Whole: TypeAlias = Mode | Literal["away"]

SIGN, INF = np.uint32(0x80000000), np.uint32(0x7F800000)
LARGEST = np.uint32(0x7F7FFFFF)
WIDE = 60           # bits of a significand before rounding
NOWHERE = -100_000  # exponent of a zero: below every other

# What is added to a magnitude before the bits below the unit `one` are cut off; `odd` is the unit's own bit.
ADDED: Mapping[Whole, Callable[[Truth, Ints, Ints], Ints]] = {
    "rn": lambda negative, one, odd: (one >> 1) - 1 + odd,
    "rz": lambda negative, one, odd: np.zeros_like(one),
    "rm": lambda negative, one, odd: np.where(negative, one - 1, 0),
    "rp": lambda negative, one, odd: np.where(negative, 0, one - 1),
    "away": lambda negative, one, odd: one >> 1,
}
# The pattern of a magnitude too large for the format.
OVERFLOW: Mapping[Mode, Callable[[Truth], Bits]] = {
    "rn": lambda negative: np.broadcast_to(INF, negative.shape),
    "rz": lambda negative: np.broadcast_to(LARGEST, negative.shape),
    "rm": lambda negative: np.where(negative, INF, LARGEST),
    "rp": lambda negative: np.where(negative, LARGEST, INF),
}


def decode(x: Bits) -> Finite:
    """The finite value of a pattern; for an infinity or a NaN a number that the caller replaces."""
    field = (x >> 23 & 0xFF).astype(np.int64)
    sig = (x & 0x7FFFFF).astype(np.int64) | (field > 0).astype(np.int64) << 23
    return x >= SIGN, sig, np.maximum(field, 1) - 150


def length(sig: Ints) -> Ints:
    """Bits in each significand, 0 for 0, read off the exponent of a binary64."""
    # without the bit below the leading one the conversion cannot round up to the next power of two
    field = (sig & ~(sig >> 1)).astype(np.float64).view(np.int64) >> 52
    out: Ints = np.maximum(field - 1022, 0)
    return out


def scale(sig: Ints, exp: Ints, bits: int) -> tuple[Ints, Ints]:
    """The same values with significands of exactly `bits` bits, zeros excepted."""
    up = bits - length(sig)
    return sig << up, np.where(sig == 0, NOWHERE, exp - up)


def jam(sig: Ints, down: Ints) -> Ints:
    """Shift right, keeping in the lowest bit whether anything was lost."""
    down = np.minimum(down, 63)
    kept = sig >> down
    lost: Truth = kept << down != sig
    return kept | lost


def cut(mode: Whole, negative: Truth, sig: Ints, down: Ints) -> Ints:
    """The magnitude sig / 2^down as a whole number, rounded; 1 <= down <= WIDE + 1, sig < 2^WIDE."""
    return sig + ADDED[mode](negative, np.int64(1) << down, sig >> down & 1) >> down


def round_to(mode: Mode, negative: Truth, sig: Ints, exp: Ints) -> Bits:
    """The pattern of `±sig * 2^exp`, rounded; sig < 2^WIDE, exact or jammed below 26 leading bits."""
    sig, exp = scale(sig, exp, WIDE)
    unit = np.maximum(exp + (WIDE - 24), -149)      # the result is a multiple of 2^unit
    rounded = cut(mode, negative, sig, np.minimum(unit - exp, WIDE + 1))
    # one formula for normal, subnormal and carry: the leading bit of a normal significand adds one to the exponent field
    pattern = rounded + (unit + 149 << 23)
    return np.where(pattern < INF, pattern, OVERFLOW[mode](negative)).astype(np.uint32) | sign_bit(negative)


def sign_bit(negative: Truth) -> Bits:
    """The sign of a pattern, the rest zero."""
    return np.where(negative, SIGN, np.uint32(0))


def rounded_sum(mode: Mode, a: Finite, b: Finite) -> Bits:
    """a + b, rounded once; each significand has at most 48 bits."""
    # eleven low bits are spare: an alignment by up to eleven is exact, and from two on at most one leading bit cancels
    (a_sig, a_exp), (b_sig, b_exp) = scale(a[1], a[2], WIDE - 1), scale(b[1], b[2], WIDE - 1)
    exp = np.maximum(a_exp, b_exp)
    x, y = jam(a_sig, exp - a_exp), jam(b_sig, exp - b_exp)
    total = np.where(a[0], -x, x) + np.where(b[0], -y, y)
    # a sum that is exactly zero: of two like zeros their sign, else minus only when rounding downwards
    minus_zero = a[0] | b[0] if mode == "rm" else a[0] & b[0]
    return round_to(mode, np.where(total == 0, minus_zero, total < 0), np.abs(total), exp)
