"""Conversions of binary32, exactly: to and from machine integers as PTX `cvt`, to narrower formats and back, and by powers of two.

>>> print(to_word([0xC0200000], "s32", "rz") == 0xFFFFFFFE, from_word(np.uint32([0xFFFFFFFE]), "s32", "rn") == 0xC0000000)
[ True] [ True]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.lanes import inf, lanes, nan, numbers
from devsem.rounding import INF, OVERFLOW, WIDE, Bits, Mode, Truth, cut, decode, length, round_to, sign_bit

__all__ = ["ANGLE", "FORMATS", "WORDS", "Word", "from_angle", "from_word", "narrow", "scale_by", "to_word"]

ANGLE = 0x3BF921FB54442D19      # libdevice's pi / 2^65 as a binary64, one step above the nearest
FAR = 500  # a power of two beyond 2^±FAR takes every number out of range, as this one does


@dataclass(frozen=True)
class Word:
    """A machine integer: its width, whether it is two's complement, and what a NaN becomes (PTX cvt: 2^63 in 64 bits, else 0)."""

    width: int
    signed: bool
    nan: int

    @property
    def kind(self) -> type[np.generic]:
        """The arrays' type."""
        return np.uint32 if self.width == 32 else np.uint64

    @property
    def largest(self) -> int:
        """The largest value."""
        return (1 << self.width - self.signed) - 1

    @property
    def smallest(self) -> int:
        """The magnitude of the smallest value."""
        return 1 << self.width - 1 if self.signed else 0


WORDS: Mapping[str, Word] = {"s32": Word(32, True, 0), "u32": Word(32, False, 0), "s64": Word(64, True, 1 << 63), "u64": Word(64, False, 1 << 63)}
# stored significand bits and exponent bits
FORMATS: Mapping[str, tuple[int, int]] = {"f16": (10, 5), "bf16": (7, 8)}

Unsigned = npt.NDArray[np.uint64]


# --- integers ---


def _whole(mode: Mode, x: Bits) -> tuple[Truth, Unsigned]:
    """Sign and magnitude of a number rounded to a whole one; a magnitude from 2^64 on, and infinity's, is 2^64 - 1."""
    negative, sig, exp = decode(x)
    small = cut(mode, negative, sig << 1, np.clip(-exp, 0, 30) + 1).astype(np.uint64)
    large = sig.astype(np.uint64) << np.clip(exp, 0, 40).astype(np.uint64)
    return negative, np.where(exp > 40, np.uint64(2**64 - 1), np.where(exp > 0, large, small))


def to_word(x: Any, word: str, mode: Mode) -> npt.NDArray[Any]:
    """PTX cvt to an integer: rounded, then clamped to the integer's range."""
    kind = WORDS[word]

    def convert(x: Bits) -> npt.NDArray[Any]:
        negative, whole = _whole(mode, x)
        magnitude = np.minimum(whole, np.where(negative, np.uint64(kind.smallest), np.uint64(kind.largest)))
        value = np.where(negative, np.uint64(0) - magnitude, magnitude)
        return np.where(nan(x), np.uint64(kind.nan), value).astype(kind.kind)
    return lanes(convert, kind.kind)(x)


def from_word(a: Any, word: str, mode: Mode) -> Bits:
    """PTX cvt from an integer, rounded; 0 becomes +0."""
    kind = WORDS[word]

    def convert(a: npt.NDArray[Any]) -> Bits:
        wide = a.astype(np.uint64)
        negative = (wide >> np.uint64(kind.width - 1) == 1) & kind.signed
        magnitude = np.where(negative, np.uint64(2**kind.width % 2**64) - wide, wide)
        # eight bits fewer than 64 are room to round, and the lowest of them tells what was lost
        high = magnitude >> np.uint64(8) | (magnitude & np.uint64(0xFF) != 0)
        fits = magnitude < np.uint64(1 << 56)
        return round_to(mode, negative, np.where(fits, magnitude, high).astype(np.int64), np.where(fits, 0, 8))
    return lanes(convert, np.uint32, kind.kind)(a)


def from_angle(a: Any) -> Bits:
    """The angle of a / 2^64 quarter turns, for a signed a: a times libdevice's pi / 2^65, in binary64, as binary32.

    The first two roundings, to nearest, are the processor's own, far from subnormals; the third is in integers."""
    def convert(a: npt.NDArray[Any]) -> Bits:
        product = (a.astype(np.uint64).view(np.int64).astype(np.float64) * np.uint64(ANGLE).view(np.float64)).view(np.uint64)
        exponent = (product >> np.uint64(52) & np.uint64(0x7FF)).astype(np.int64)
        significand = (product & np.uint64((1 << 52) - 1)).astype(np.int64) | np.where(exponent == 0, 0, 1 << 52)
        return round_to("rn", product >> np.uint64(63) == 1, significand, exponent - 1075)
    return lanes(convert, np.uint32, np.uint64)(a)


# --- other formats, powers of two ---


def narrow(x: Any, form: str, mode: Mode = "rn") -> Bits:
    """x rounded to a narrower format, as the binary32 number that it is there; to nearest, too large a number becomes an infinity."""
    mant, expo = FORMATS[form]
    lowest = 2 - (1 << expo - 1) - mant      # the smallest number is 2^lowest
    largest = np.uint32((126 + (1 << expo - 1) << 23) + ((1 << mant) - 1 << 23 - mant))

    def convert(x: Bits) -> Bits:
        negative, sig, exp = decode(x)
        sig, exp = sig << WIDE - 24, exp - (WIDE - 24)
        unit = np.maximum(exp + length(sig) - (mant + 1), lowest)
        rounded = cut(mode, negative, sig, np.minimum(unit - exp, WIDE + 1))
        magnitude = round_to("rn", np.zeros_like(negative), rounded, unit)     # exact, or beyond binary32 too
        beyond = np.where(OVERFLOW[mode](negative) == INF, INF, largest)
        return np.where(nan(x) | inf(x), x, np.where(magnitude > largest, beyond, magnitude) | sign_bit(negative))
    return numbers(convert)(x)


@numbers
def scale_by(x: Bits, k: npt.NDArray[np.uint32]) -> Bits:
    """x * 2^k for a two's complement k, rounded once to nearest even."""
    negative, sig, exp = decode(x)
    power = np.clip(k.astype(np.int32).astype(np.int64), -FAR, FAR)
    return np.where(nan(x) | inf(x), x, round_to("rn", negative, sig, exp + power))
