"""Exact binary32 on bit patterns, vectorised: what IEEE 754 and PTX fix, in integer arithmetic only.

Patterns are uint32 arrays (F32, B32), uint64 (B64) or bool (BOOL); shapes broadcast, the result is always an array. Every F32
result has its NaNs made canonical. No float32 instruction computes anything here, so the processor's modes change nothing.
Arithmetic rounds to nearest even, or as `mode` says.

>>> print(fma([0x3F800001], 0x3F7FFFFE, 0xBF800000) == 0xA8800000, add(0x3F800000, 1, mode="rp") == 0x3F800001)
[ True] True
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.conversions import *  # noqa: F403  (the operations of ops.py are one namespace)
from devsem.integers import *  # noqa: F403
from devsem.integers import truth
from devsem.lanes import NAN, inf, magnitude, nan, numbers, truths, zero
from devsem.rounding import INF, SIGN, Bits, Ints, Mode, Truth, Whole, cut, decode, round_to, rounded_sum, scale, sign_bit

MIN_NORMAL, ONE, TWO_23 = np.uint32(0x00800000), np.uint32(0x3F800000), np.uint32(0x4B000000)


def _rounding(f: Callable[..., Bits]) -> Callable[..., Bits]:
    """An operation that takes its mode first becomes one on arrays that takes it by name."""
    by_mode: dict[Mode, Callable[..., Bits]] = {m: numbers(functools.partial(f, m)) for m in ("rn", "rz", "rm", "rp")}

    @functools.wraps(f)
    def on_arrays(*args: Any, mode: Mode = "rn") -> Bits:
        return by_mode[mode](*args)
    return on_arrays


# --- arithmetic ---


def _sum(mode: Mode, a: Bits, b: Bits) -> Bits:
    out = np.where(inf(a), a, np.where(inf(b), b, rounded_sum(mode, decode(a), decode(b))))
    return np.where(nan(a) | nan(b) | (inf(a) & inf(b) & (a != b)), NAN, out)


@_rounding
def add(mode: Mode, a: Bits, b: Bits) -> Bits:
    """a + b."""
    return _sum(mode, a, b)


@_rounding
def sub(mode: Mode, a: Bits, b: Bits) -> Bits:
    """a - b."""
    return _sum(mode, a, b ^ SIGN)


@_rounding
def mul(mode: Mode, a: Bits, b: Bits) -> Bits:
    """a * b."""
    (a_neg, a_sig, a_exp), (b_neg, b_sig, b_exp) = decode(a), decode(b)
    out = round_to(mode, a_neg ^ b_neg, a_sig * b_sig, a_exp + b_exp)
    out = np.where(inf(a) | inf(b), sign_bit(a_neg ^ b_neg) | INF, out)
    return np.where(nan(a) | nan(b) | (inf(a) & zero(b)) | (zero(a) & inf(b)), NAN, out)


@_rounding
def div(mode: Mode, a: Bits, b: Bits) -> Bits:
    """a / b."""
    (a_neg, a_sig, a_exp), (b_neg, b_sig, b_exp) = decode(a), decode(b)
    sign = sign_bit(a_neg ^ b_neg)
    num, num_exp = scale(a_sig, a_exp, 54)
    den, den_exp = scale(np.where(zero(b), 1, b_sig), b_exp, 24)
    quotient = num // den   # 30 or 31 bits
    out = round_to(mode, a_neg ^ b_neg, quotient | (quotient * den != num), num_exp - den_exp)
    out = np.where(inf(a) | zero(b), sign | INF, np.where(inf(b), sign, out))
    return np.where(nan(a) | nan(b) | (inf(a) & inf(b)) | (zero(a) & zero(b)), NAN, out)


@_rounding
def fma(mode: Mode, a: Bits, b: Bits, c: Bits) -> Bits:
    """a * b + c, rounded once."""
    (a_neg, a_sig, a_exp), (b_neg, b_sig, b_exp) = decode(a), decode(b)
    negative, infinite = a_neg ^ b_neg, inf(a) | inf(b)
    out = rounded_sum(mode, (negative, a_sig * b_sig, a_exp + b_exp), decode(c))
    out = np.where(infinite, sign_bit(negative) | INF, np.where(inf(c), c, out))
    invalid = (inf(a) & zero(b)) | (zero(a) & inf(b)) | (infinite & inf(c) & (negative != (c >= SIGN)))
    return np.where(nan(a) | nan(b) | nan(c) | invalid, NAN, out)


@_rounding
def sqrt(mode: Mode, a: Bits) -> Bits:
    """The square root of a; of -0 it is -0, of anything below NaN."""
    negative, sig, exp = decode(a)
    sig, exp = scale(sig, exp, 54)
    sig, exp = sig << (exp & 1), exp - (exp & 1)
    root = np.sqrt(sig.astype(np.float64)).astype(np.int64)  # however binary64 rounds, off by one at most
    root -= root * root > sig
    root += (root + 1) * (root + 1) <= sig
    out = np.where(a == INF, a, round_to(mode, negative, root | (root * root != sig), exp >> 1))
    return np.where(nan(a) | (negative & ~zero(a)), NAN, out)


# --- rounding to an integral value ---


def _integral(name: str, mode: Whole, doc: str) -> Callable[..., Bits]:
    """The operation that rounds to a whole number; the sign is kept, so -0.25 may become -0."""
    def to_integral(x: Bits) -> Bits:
        negative, sig, exp = decode(x)
        whole = cut(mode, negative, sig << 1, np.clip(-exp, 0, 30) + 1)
        return np.where(magnitude(x) >= TWO_23, x, round_to("rn", negative, whole, np.zeros_like(exp)))
    to_integral.__name__, to_integral.__doc__ = name, doc
    return numbers(to_integral)


rint = _integral("rint", "rn", "To nearest, ties to even.")
floor = _integral("floor", "rm", "Towards minus infinity.")
ceil = _integral("ceil", "rp", "Towards plus infinity; of (-1, 0) it is -0.")
trunc = _integral("trunc", "rz", "Towards zero.")
round_away = _integral("round_away", "away", "C's roundf: to nearest, ties away from zero.")


# --- signs, choices, order ---


@numbers
def canon(x: Bits) -> Bits:
    """Every NaN becomes 0x7fffffff."""
    return x


@numbers
def neg(x: Bits) -> Bits:
    """-x."""
    return x ^ SIGN


@numbers
def abs_(x: Bits) -> Bits:
    """|x|."""
    return magnitude(x)


@numbers
def copysign(x: Bits, y: Bits) -> Bits:
    """|x| with the sign of y; a NaN y counts as positive."""
    return magnitude(x) | np.where(nan(y), np.uint32(0), y & SIGN)


@numbers
def sat(x: Bits) -> Bits:
    """PTX .sat: x clamped to the interval from +0 to 1; NaN and everything negative, -0 too, become +0."""
    return np.where(nan(x) | (x >= SIGN), np.uint32(0), np.minimum(x, ONE))


@numbers
def ftz(x: Bits) -> Bits:
    """A subnormal becomes the zero of its sign."""
    return np.where(magnitude(x) < MIN_NORMAL, x & SIGN, x)


@numbers
def pos_zero(x: Bits) -> Bits:
    """-0 becomes +0."""
    return np.where(zero(x), np.uint32(0), x)


def select(c: Any, a: Any, b: Any) -> npt.NDArray[Any]:
    """a where c holds, else b: both F32 or both BOOL."""
    c, a, b = truth(c), np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.dtype not in (np.uint32, np.bool_):
        raise TypeError(f"select takes two F32 or two BOOL arrays, got {a.dtype} and {b.dtype}")
    out = np.asarray(np.where(c, a, b))
    return canon(out) if out.dtype == np.uint32 else out


def _key(x: Bits) -> Ints:
    """Integers in the order of the values, with -0 just below +0."""
    m = magnitude(x).astype(np.int64)
    return np.where(x >= SIGN, ~m, m)


def _lesser(a: Bits, b: Bits) -> Bits:
    return np.where(_key(a) < _key(b), a, b)


def _greater(a: Bits, b: Bits) -> Bits:
    return np.where(_key(a) < _key(b), b, a)


@numbers
def min_num(a: Bits, b: Bits) -> Bits:
    """PTX min: a NaN loses to a number, -0 < +0."""
    return np.where(nan(a), b, np.where(nan(b), a, _lesser(a, b)))


@numbers
def max_num(a: Bits, b: Bits) -> Bits:
    """PTX max: a NaN loses to a number, -0 < +0."""
    return np.where(nan(a), b, np.where(nan(b), a, _greater(a, b)))


@numbers
def min_nan(a: Bits, b: Bits) -> Bits:
    """PTX min.NaN: a NaN wins, -0 < +0."""
    return np.where(nan(a) | nan(b), NAN, _lesser(a, b))


@numbers
def max_nan(a: Bits, b: Bits) -> Bits:
    """PTX max.NaN: a NaN wins, -0 < +0."""
    return np.where(nan(a) | nan(b), NAN, _greater(a, b))


def _ordered(a: Bits, b: Bits) -> Truth:
    return ~(nan(a) | nan(b))


def _less(a: Bits, b: Bits) -> Truth:
    return (_key(a) < _key(b)) & ~(zero(a) & zero(b))


def _same(a: Bits, b: Bits) -> Truth:
    out: Truth = (a == b) | (zero(a) & zero(b))
    return out


@truths
def lt(a: Bits, b: Bits) -> Truth:
    """a < b, false on NaN."""
    return _ordered(a, b) & _less(a, b)


@truths
def le(a: Bits, b: Bits) -> Truth:
    """a <= b, false on NaN."""
    return _ordered(a, b) & (_less(a, b) | _same(a, b))


@truths
def eq(a: Bits, b: Bits) -> Truth:
    """a == b, false on NaN."""
    return _ordered(a, b) & _same(a, b)


@truths
def same(a: Bits, b: Bits) -> Truth:
    """One pattern, all NaNs taken as one: the equality of verdicts."""
    out: Truth = canon(a) == canon(b)
    return out


@truths
def lt_u(a: Bits, b: Bits) -> Truth:
    """a < b, true on NaN."""
    return ~_ordered(a, b) | _less(a, b)


@truths
def le_u(a: Bits, b: Bits) -> Truth:
    """a <= b, true on NaN."""
    return ~_ordered(a, b) | _less(a, b) | _same(a, b)


@truths
def eq_u(a: Bits, b: Bits) -> Truth:
    """a == b, true on NaN."""
    return ~_ordered(a, b) | _same(a, b)


is_nan, is_inf, is_zero = truths(nan), truths(inf), truths(zero)


@truths
def is_finite(x: Bits) -> Truth:
    """Neither an infinity nor a NaN."""
    return magnitude(x) < INF


@truths
def is_subnormal(x: Bits) -> Truth:
    """Neither zero nor normal: below the smallest normal number."""
    return (magnitude(x) < MIN_NORMAL) & ~zero(x)


@truths
def is_normal(x: Bits) -> Truth:
    """A finite number that is neither zero nor subnormal."""
    return (magnitude(x) >= MIN_NORMAL) & (magnitude(x) < INF)


@truths
def is_neg(x: Bits) -> Truth:
    """The sign bit; a NaN's counts as clear."""
    return (x >= SIGN) & ~nan(x)
