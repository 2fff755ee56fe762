"""Exact binary32 on bit patterns, vectorised: what IEEE 754 and PTX fix, in integer arithmetic only.

Patterns are uint32 arrays (F32, B32), uint64 (B64) or bool (BOOL); shapes broadcast, the result is always an array. Every F32
result has its NaNs made canonical. No float32 instruction computes anything here, so the processor's modes change nothing.

>>> print(fma([0x3F800001], 0x3F7FFFFE, 0xBF800000) == 0xA8800000)
[ True]
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.integers import *  # noqa: F403  (the operations of ops.py are one namespace)
from devsem.integers import truth
from devsem.rounding import INF, SIGN, Bits, Ints, Truth, decode, round_even, rounded_sum, scale, sign_bit

NAN, MIN_NORMAL, TWO_23 = np.uint32(0x7FFFFFFF), np.uint32(0x00800000), np.uint32(0x4B000000)
BLOCK = 1 << 14  # lanes computed at a time: temporaries stay in the cache


# --- arrays in, arrays out ---


def _patterns(x: Any) -> Bits:
    """An F32 argument as an array; a Python int or a list of them is taken by value."""
    if isinstance(x, (int, list)):
        return np.array(x, dtype=np.uint32)
    out = np.asarray(x)
    if out.dtype != np.uint32:
        raise TypeError(f"bit patterns are uint32, got {out.dtype}")
    return out


def _lanes(f: Callable[..., npt.NDArray[Any]], out: type[np.generic]) -> Callable[..., npt.NDArray[Any]]:
    """`f` on equally long one-dimensional blocks becomes a function of arguments of any shapes."""
    @functools.wraps(f)
    def on_arrays(*args: Any) -> npt.NDArray[Any]:
        arrays = np.broadcast_arrays(*map(_patterns, args))
        flat = [a.reshape(-1) for a in arrays]
        result = np.empty(flat[0].shape, dtype=out)
        for start in range(0, len(result), BLOCK):
            result[start:start + BLOCK] = f(*(a[start:start + BLOCK] for a in flat))
        return result.reshape(arrays[0].shape)
    return on_arrays


def _number(f: Callable[..., Bits]) -> Callable[..., Bits]:
    """An operation with an F32 result, NaNs made canonical."""
    return _lanes(functools.wraps(f)(lambda *args: _canon(f(*args))), np.uint32)


def _test(f: Callable[..., Truth]) -> Callable[..., Truth]:
    """An operation on F32 with a BOOL result."""
    return _lanes(f, np.bool_)


# --- parts of a pattern ---


def _magnitude(x: Bits) -> Bits:
    return x & NAN


def _nan(x: Bits) -> Truth:
    return _magnitude(x) > INF


def _inf(x: Bits) -> Truth:
    out: Truth = _magnitude(x) == INF
    return out


def _zero(x: Bits) -> Truth:
    out: Truth = _magnitude(x) == 0
    return out


def _canon(x: Bits) -> Bits:
    return np.where(_nan(x), NAN, x)


# --- arithmetic ---


def _add(a: Bits, b: Bits) -> Bits:
    out = np.where(_inf(a), a, np.where(_inf(b), b, rounded_sum(decode(a), decode(b))))
    return np.where(_nan(a) | _nan(b) | (_inf(a) & _inf(b) & (a != b)), NAN, out)


@_number
def add(a: Bits, b: Bits) -> Bits:
    """a + b."""
    return _add(a, b)


@_number
def sub(a: Bits, b: Bits) -> Bits:
    """a - b."""
    return _add(a, b ^ SIGN)


@_number
def mul(a: Bits, b: Bits) -> Bits:
    """a * b."""
    (a_neg, a_sig, a_exp), (b_neg, b_sig, b_exp) = decode(a), decode(b)
    out = round_even(a_neg ^ b_neg, a_sig * b_sig, a_exp + b_exp)
    out = np.where(_inf(a) | _inf(b), sign_bit(a_neg ^ b_neg) | INF, out)
    return np.where(_nan(a) | _nan(b) | (_inf(a) & _zero(b)) | (_zero(a) & _inf(b)), NAN, out)


@_number
def div(a: Bits, b: Bits) -> Bits:
    """a / b."""
    (a_neg, a_sig, a_exp), (b_neg, b_sig, b_exp) = decode(a), decode(b)
    sign = sign_bit(a_neg ^ b_neg)
    num, num_exp = scale(a_sig, a_exp, 54)
    den, den_exp = scale(np.where(_zero(b), 1, b_sig), b_exp, 24)
    quotient = num // den   # 30 or 31 bits
    out = round_even(a_neg ^ b_neg, quotient | (quotient * den != num), num_exp - den_exp)
    out = np.where(_inf(a) | _zero(b), sign | INF, np.where(_inf(b), sign, out))
    return np.where(_nan(a) | _nan(b) | (_inf(a) & _inf(b)) | (_zero(a) & _zero(b)), NAN, out)


@_number
def fma(a: Bits, b: Bits, c: Bits) -> Bits:
    """a * b + c, rounded once."""
    (a_neg, a_sig, a_exp), (b_neg, b_sig, b_exp) = decode(a), decode(b)
    negative, infinite = a_neg ^ b_neg, _inf(a) | _inf(b)
    out = rounded_sum((negative, a_sig * b_sig, a_exp + b_exp), decode(c))
    out = np.where(infinite, sign_bit(negative) | INF, np.where(_inf(c), c, out))
    invalid = (_inf(a) & _zero(b)) | (_zero(a) & _inf(b)) | (infinite & _inf(c) & (negative != (c >= SIGN)))
    return np.where(_nan(a) | _nan(b) | _nan(c) | invalid, NAN, out)


@_number
def sqrt(a: Bits) -> Bits:
    """The square root of a; of -0 it is -0, of anything below NaN."""
    negative, sig, exp = decode(a)
    sig, exp = scale(sig, exp, 54)
    sig, exp = sig << (exp & 1), exp - (exp & 1)
    root = np.sqrt(sig.astype(np.float64)).astype(np.int64)  # however binary64 rounds, off by one at most
    root -= root * root > sig
    root += (root + 1) * (root + 1) <= sig
    out = np.where(a == INF, a, round_even(negative, root | (root * root != sig), exp >> 1))
    return np.where(_nan(a) | (negative & ~_zero(a)), NAN, out)


# --- rounding to an integral value ---


def _integral(up: Callable[[Truth, Ints, Ints, Ints], Truth]) -> Callable[..., Bits]:
    """`up` decides, from the sign, the whole part, twice the rest and one, whether the whole part of the magnitude is raised."""
    @functools.wraps(up)
    def to_integral(x: Bits) -> Bits:
        negative, sig, exp = decode(x)
        down = np.clip(-exp, 0, 30)
        whole = sig >> down
        raised = whole + up(negative, whole, sig - (whole << down) << 1, np.int64(1) << down)
        return np.where(_magnitude(x) >= TWO_23, x, round_even(negative, raised, np.zeros_like(exp)))
    return _number(to_integral)


@_integral
def rint(negative: Truth, whole: Ints, twice: Ints, one: Ints) -> Truth:
    """To nearest, ties to even."""
    tie: Truth = (twice == one) & (whole & 1 == 1)
    return (twice > one) | tie


@_integral
def floor(negative: Truth, whole: Ints, twice: Ints, one: Ints) -> Truth:
    """Towards minus infinity."""
    return negative & (twice > 0)


@_integral
def ceil(negative: Truth, whole: Ints, twice: Ints, one: Ints) -> Truth:
    """Towards plus infinity; of (-1, 0) it is -0."""
    return ~negative & (twice > 0)


@_integral
def trunc(negative: Truth, whole: Ints, twice: Ints, one: Ints) -> Truth:
    """Towards zero."""
    return np.zeros_like(negative)


@_integral
def round_away(negative: Truth, whole: Ints, twice: Ints, one: Ints) -> Truth:
    """C's roundf: to nearest, ties away from zero."""
    return twice >= one


# --- signs, choices, order ---


@_number
def canon(x: Bits) -> Bits:
    """Every NaN becomes 0x7fffffff."""
    return x


@_number
def neg(x: Bits) -> Bits:
    """-x."""
    return x ^ SIGN


@_number
def abs_(x: Bits) -> Bits:
    """|x|."""
    return _magnitude(x)


@_number
def ftz(x: Bits) -> Bits:
    """A subnormal becomes the zero of its sign."""
    return np.where(_magnitude(x) < MIN_NORMAL, x & SIGN, x)


@_number
def pos_zero(x: Bits) -> Bits:
    """-0 becomes +0."""
    return np.where(_zero(x), np.uint32(0), x)


def select(c: Any, a: Any, b: Any) -> npt.NDArray[Any]:
    """a where c holds, else b: both F32 or both BOOL."""
    c, a, b = truth(c), np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.dtype not in (np.uint32, np.bool_):
        raise TypeError(f"select takes two F32 or two BOOL arrays, got {a.dtype} and {b.dtype}")
    out = np.asarray(np.where(c, a, b))
    return canon(out) if out.dtype == np.uint32 else out


def _key(x: Bits) -> Ints:
    """Integers in the order of the values, with -0 just below +0."""
    m = _magnitude(x).astype(np.int64)
    return np.where(x >= SIGN, ~m, m)


def _lesser(a: Bits, b: Bits) -> Bits:
    return np.where(_key(a) < _key(b), a, b)


def _greater(a: Bits, b: Bits) -> Bits:
    return np.where(_key(a) < _key(b), b, a)


@_number
def min_num(a: Bits, b: Bits) -> Bits:
    """PTX min: a NaN loses to a number, -0 < +0."""
    return np.where(_nan(a), b, np.where(_nan(b), a, _lesser(a, b)))


@_number
def max_num(a: Bits, b: Bits) -> Bits:
    """PTX max: a NaN loses to a number, -0 < +0."""
    return np.where(_nan(a), b, np.where(_nan(b), a, _greater(a, b)))


@_number
def min_nan(a: Bits, b: Bits) -> Bits:
    """PTX min.NaN: a NaN wins, -0 < +0."""
    return np.where(_nan(a) | _nan(b), NAN, _lesser(a, b))


@_number
def max_nan(a: Bits, b: Bits) -> Bits:
    """PTX max.NaN: a NaN wins, -0 < +0."""
    return np.where(_nan(a) | _nan(b), NAN, _greater(a, b))


def _ordered(a: Bits, b: Bits) -> Truth:
    return ~(_nan(a) | _nan(b))


def _less(a: Bits, b: Bits) -> Truth:
    return (_key(a) < _key(b)) & ~(_zero(a) & _zero(b))


def _same(a: Bits, b: Bits) -> Truth:
    out: Truth = (a == b) | (_zero(a) & _zero(b))
    return out


@_test
def lt(a: Bits, b: Bits) -> Truth:
    """a < b, false on NaN."""
    return _ordered(a, b) & _less(a, b)


@_test
def le(a: Bits, b: Bits) -> Truth:
    """a <= b, false on NaN."""
    return _ordered(a, b) & (_less(a, b) | _same(a, b))


@_test
def eq(a: Bits, b: Bits) -> Truth:
    """a == b, false on NaN."""
    return _ordered(a, b) & _same(a, b)


@_test
def same(a: Bits, b: Bits) -> Truth:
    """One pattern, all NaNs taken as one: the equality of verdicts."""
    out: Truth = canon(a) == canon(b)
    return out


@_test
def lt_u(a: Bits, b: Bits) -> Truth:
    """a < b, true on NaN."""
    return ~_ordered(a, b) | _less(a, b)


@_test
def le_u(a: Bits, b: Bits) -> Truth:
    """a <= b, true on NaN."""
    return ~_ordered(a, b) | _less(a, b) | _same(a, b)


@_test
def eq_u(a: Bits, b: Bits) -> Truth:
    """a == b, true on NaN."""
    return ~_ordered(a, b) | _same(a, b)


is_nan, is_inf = _test(_nan), _test(_inf)


@_test
def is_finite(x: Bits) -> Truth:
    """Neither an infinity nor a NaN."""
    return _magnitude(x) < INF
