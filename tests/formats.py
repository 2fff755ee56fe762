"""A second model of floating point, for every format and mode: by definition, with fractions and a search among the format's numbers.

It shares no code and no method with `devsem/floats.py` and FloatLib: a result is one of the two neighbours of the exact value. Patterns
are ints, NaN is the pattern with all bits set below the sign.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

Mode = Literal["rn", "rz", "rm", "rp"]
Away = Literal["away"]
MODES: tuple[Mode, ...] = ("rn", "rz", "rm", "rp")


@dataclass(frozen=True)
class Format:
    """`mant` stored significand bits and `expo` exponent bits (IEEE 754 section 3.4)."""

    mant: int
    expo: int

    @cached_property
    def sign(self) -> int:
        """The sign bit."""
        return 1 << (self.mant + self.expo)

    @cached_property
    def nan(self) -> int:
        """The one NaN."""
        return self.sign - 1

    @cached_property
    def inf(self) -> int:
        """The pattern of infinity."""
        return ((1 << self.expo) - 1) << self.mant

    @cached_property
    def bias(self) -> int:
        """The exponent of 1, as stored."""
        return (1 << (self.expo - 1)) - 1

    def mag(self, p: int) -> int:
        """The bits below the sign."""
        return p & self.nan

    def is_nan(self, p: int) -> bool:
        """Is it any NaN?"""
        return self.mag(p) > self.inf

    def negative(self, p: int) -> bool:
        """Is the sign bit set?"""
        return p & self.sign != 0

    def value(self, p: int) -> Fraction:
        """The number a pattern stands for; infinity's is what would follow the largest number."""
        field, fraction = self.mag(p) >> self.mant, Fraction(p & (1 << self.mant) - 1, 1 << self.mant)
        magnitude = fraction * Fraction(2) ** (1 - self.bias) if field == 0 else (1 + fraction) * Fraction(2) ** (field - self.bias)
        return -magnitude if self.negative(p) else magnitude

    def below(self, fits: Callable[[Fraction], bool]) -> int:
        """The largest finite magnitude pattern whose number fits; larger ones do not, 0 does."""
        low, high = 0, self.inf
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fits(self.value(middle)) else (low, middle)
        return low

    def choose(self, mode: Mode, negative: bool, low: int, exact: bool, half: int) -> int:
        """The pattern of a magnitude between `low` and the next one, `half` (-1, 0, 1) telling its place relative to the middle."""
        up = {"rn": half > 0 or (half == 0 and low % 2 == 1), "rz": False, "rm": negative, "rp": not negative}[mode]
        return (low if exact or not up else low + 1) | self.sign * negative

    def round(self, mode: Mode, q: Fraction, minus_zero: bool) -> int:
        """The pattern of a number, rounded; an exact zero has the sign given."""
        if q == 0:
            return self.sign * minus_zero
        size = abs(q)
        low = self.below(lambda v: v <= size)
        middle = (self.value(low) + self.value(low + 1)) / 2
        return self.choose(mode, q < 0, low, self.value(low) == size, (size > middle) - (size < middle))


BINARY32, BINARY16, BFLOAT16, TOY = Format(23, 8), Format(10, 5), Format(7, 8), Format(2, 3)


# --- arithmetic: IEEE 754 sections 5.4, 6.1, 6.3, 7.2 ---


def fma(f: Format, mode: Mode, a: int, b: int, c: int) -> int:
    """a * b + c."""
    if any(map(f.is_nan, (a, b, c))) or ({f.mag(a), f.mag(b)} == {0, f.inf}):
        return f.nan
    negative = f.negative(a) != f.negative(b)
    if f.inf in (f.mag(a), f.mag(b)):
        return f.nan if f.mag(c) == f.inf and f.negative(c) != negative else f.inf | f.sign * negative
    if f.mag(c) == f.inf:
        return c
    minus_zero = negative if negative == f.negative(c) else mode == "rm"
    return f.round(mode, f.value(a) * f.value(b) + f.value(c), minus_zero)


def add(f: Format, mode: Mode, a: int, b: int) -> int:
    """a + b."""
    return fma(f, mode, a, f.bias << f.mant, b)


def sub(f: Format, mode: Mode, a: int, b: int) -> int:
    """a - b."""
    return add(f, mode, a, b ^ f.sign)


def mul(f: Format, mode: Mode, a: int, b: int) -> int:
    """a * b: a zero of the product's sign changes nothing."""
    return fma(f, mode, a, b, (a ^ b) & f.sign)


def div(f: Format, mode: Mode, a: int, b: int) -> int:
    """a / b."""
    sign = (a ^ b) & f.sign
    if f.is_nan(a) or f.is_nan(b) or (f.mag(a) == f.mag(b) and f.mag(a) in (0, f.inf)):
        return f.nan
    if f.mag(a) == f.inf or f.mag(b) == 0:
        return f.inf | sign
    return sign if f.mag(b) == f.inf else f.round(mode, f.value(a) / f.value(b), sign != 0)


def sqrt(f: Format, mode: Mode, a: int) -> int:
    """The square root; of -0 it is -0."""
    if f.is_nan(a) or (f.negative(a) and f.mag(a) != 0):
        return f.nan
    if f.mag(a) in (0, f.inf):
        return a
    square = f.value(a)
    low = f.below(lambda v: v * v <= square)
    middle = ((f.value(low) + f.value(low + 1)) / 2) ** 2
    return f.choose(mode, False, low, f.value(low) ** 2 == square, (square > middle) - (square < middle))


# --- whole numbers, integers, other formats ---


def whole(mode: Mode | Away, q: Fraction) -> int:
    """A number rounded to a whole one; Python rounds ties to even."""
    size = abs(q)
    magnitude = {"rn": round(size), "rz": int(size), "rm": -int(-size // 1) if q < 0 else int(size), "rp": int(size) if q < 0 else -int(-size // 1),
                 "away": int(size + Fraction(1, 2))}[mode]
    return -magnitude if q < 0 else magnitude


def integral(f: Format, mode: Mode | Away, a: int) -> int:
    """Rounded to a whole number of the format, with the sign kept."""
    if f.is_nan(a):
        return f.nan
    return a if f.mag(a) == f.inf else f.round("rn", Fraction(whole(mode, f.value(a))), f.negative(a)) | (a & f.sign)


def to_word(f: Format, mode: Mode, width: int, signed: bool, a: int) -> int:
    """PTX cvt to an integer, as a word."""
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    if f.is_nan(a):
        return 1 << 63 if width == 64 else 0
    if f.mag(a) == f.inf:
        return (low if f.negative(a) else high) % (1 << width)
    return min(max(whole(mode, f.value(a)), low), high) % (1 << width)


def from_word(f: Format, mode: Mode, width: int, signed: bool, a: int) -> int:
    """PTX cvt from an integer."""
    return f.round(mode, Fraction(a - (1 << width) * (signed and a >> width - 1 == 1)), False)


def convert(f: Format, g: Format, mode: Mode, a: int) -> int:
    """The value in another format."""
    if f.is_nan(a):
        return g.nan
    sign = g.sign * f.negative(a)
    return g.inf | sign if f.mag(a) == f.inf else g.round(mode, f.value(a), f.negative(a))


def scale_by(f: Format, mode: Mode, a: int, k: int) -> int:
    """a * 2^k."""
    return f.nan if f.is_nan(a) else a if f.mag(a) == f.inf else f.round(mode, f.value(a) * Fraction(2) ** k, f.negative(a))


def sat(f: Format, a: int) -> int:
    """PTX .sat."""
    if f.is_nan(a) or f.negative(a):
        return 0
    return min(a, f.bias << f.mant)
