"""Truth values (bool arrays) and wrap-around integers (uint32 or uint64 arrays), as C, PTX and SMT-LIB bit vectors have them.

>>> print(int_sub(np.uint32([0]), np.uint32(1)) == 0xFFFFFFFF, int_slt(np.uint32([0xFFFFFFFF]), np.uint32(0)))
[ True] [ True]
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "bool_and", "bool_not", "bool_or", "bool_xor", "int_add", "int_and", "int_ashr", "int_ieq", "int_lshr", "int_mul", "int_not", "int_or", "int_sdiv",
    "int_select", "int_sext", "int_shl", "int_sle", "int_slt", "int_smax", "int_smin", "int_srem", "int_sub", "int_udiv", "int_ule", "int_ult", "int_umax",
    "int_umin", "int_urem", "int_wrap", "int_xor", "int_zext",
]

Truth: TypeAlias = npt.NDArray[np.bool_]
Words: TypeAlias = npt.NDArray[Any]  # uint32 or uint64 by dtype


def truth(x: Any) -> Truth:
    """A BOOL argument as an array."""
    out = np.asarray(x)
    if out.dtype != np.bool_:
        raise TypeError(f"a truth value is bool, got {out.dtype}")
    return out


def _words(*args: Any) -> list[Words]:
    """Integer arguments of one width."""
    arrays = [np.asarray(a) for a in args]
    if {a.dtype for a in arrays} not in ({np.dtype(np.uint32)}, {np.dtype(np.uint64)}):
        raise TypeError(f"integers are all uint32 or all uint64, got {', '.join(str(a.dtype) for a in arrays)}")
    return arrays


def _of(kind: type[np.generic], a: Any) -> Words:
    """One integer argument of a given width."""
    (x,) = _words(a)
    if x.dtype != kind:
        raise TypeError(f"expected {np.dtype(kind)}, got {x.dtype}")
    return x


def _signed(x: Words) -> npt.NDArray[Any]:
    """The two's complement reading."""
    return x.astype(np.int32 if x.dtype == np.uint32 else np.int64)


def bool_not(a: Any) -> Truth:
    """Not a."""
    return np.asarray(np.logical_not(truth(a)))


def bool_and(a: Any, b: Any) -> Truth:
    """a and b."""
    return np.asarray(np.logical_and(truth(a), truth(b)))


def bool_or(a: Any, b: Any) -> Truth:
    """a or b."""
    return np.asarray(np.logical_or(truth(a), truth(b)))


def bool_xor(a: Any, b: Any) -> Truth:
    """Exactly one of a and b."""
    return np.asarray(np.logical_xor(truth(a), truth(b)))


def int_add(a: Any, b: Any) -> Words:
    """a + b, wrapping."""
    return np.asarray(np.add(*_words(a, b)))


def int_sub(a: Any, b: Any) -> Words:
    """a - b, wrapping."""
    return np.asarray(np.subtract(*_words(a, b)))


def int_mul(a: Any, b: Any) -> Words:
    """a * b, wrapping."""
    return np.asarray(np.multiply(*_words(a, b)))


def int_slt(a: Any, b: Any) -> Truth:
    """a < b, two's complement."""
    return np.asarray(np.less(*map(_signed, _words(a, b))))


def int_sle(a: Any, b: Any) -> Truth:
    """a <= b, two's complement."""
    return np.asarray(np.less_equal(*map(_signed, _words(a, b))))


def int_ult(a: Any, b: Any) -> Truth:
    """a < b, unsigned."""
    return np.asarray(np.less(*_words(a, b)))


def int_ule(a: Any, b: Any) -> Truth:
    """a <= b, unsigned."""
    return np.asarray(np.less_equal(*_words(a, b)))


def int_ieq(a: Any, b: Any) -> Truth:
    """a = b."""
    return np.asarray(np.equal(*_words(a, b)))


def int_sext(a: Any) -> Words:
    """32 to 64 bits, copying the sign."""
    return _signed(_of(np.uint32, a)).astype(np.int64).astype(np.uint64)


def int_zext(a: Any) -> Words:
    """32 to 64 bits, filling with zeros."""
    return _of(np.uint32, a).astype(np.uint64)


def int_wrap(a: Any) -> Words:
    """The low 32 bits of 64."""
    return _of(np.uint64, a).astype(np.uint32)


# --- bits of words; a shift by the width or more shifts everything out, as in PTX ---


def int_and(a: Any, b: Any) -> Words:
    """a & b."""
    return np.asarray(np.bitwise_and(*_words(a, b)))


def int_or(a: Any, b: Any) -> Words:
    """a | b."""
    return np.asarray(np.bitwise_or(*_words(a, b)))


def int_xor(a: Any, b: Any) -> Words:
    """a ^ b."""
    return np.asarray(np.bitwise_xor(*_words(a, b)))


def _shift(a: Any, k: Any) -> tuple[Words, Words, Truth]:
    """A word, a count that the processor can shift it by, and whether the count was larger."""
    (x,), count = _words(a), _of(np.uint32, k)
    width = 8 * x.dtype.itemsize
    return x, np.minimum(count, np.uint32(width - 1)).astype(x.dtype), count >= width


def int_shl(a: Any, k: Any) -> Words:
    """a << k, for an unsigned 32-bit k."""
    x, count, out = _shift(a, k)
    return np.asarray(np.where(out, x.dtype.type(0), x << count))


def int_lshr(a: Any, k: Any) -> Words:
    """a >> k, filling with zeros."""
    x, count, out = _shift(a, k)
    return np.asarray(np.where(out, x.dtype.type(0), x >> count))


def int_ashr(a: Any, k: Any) -> Words:
    """a >> k, filling with the sign."""
    x, count, _ = _shift(a, k)
    return np.asarray((_signed(x) >> _signed(count)).astype(x.dtype))


def int_select(c: Any, a: Any, b: Any) -> Words:
    """a where c holds, else b."""
    return np.asarray(np.where(truth(c), *_words(a, b)))


def int_not(a: Any) -> Words:
    """~a."""
    return np.asarray(np.invert(*_words(a)))


# --- division, rounded toward zero; by zero it is what SMT-LIB says, since C leaves it open ---


def int_udiv(a: Any, b: Any) -> Words:
    """a / b, unsigned; all ones where b = 0."""
    x, y = _words(a, b)
    return np.asarray(np.where(y == 0, ~x.dtype.type(0), x // np.where(y == 0, x.dtype.type(1), y)))


def int_urem(a: Any, b: Any) -> Words:
    """a % b, unsigned; a where b = 0."""
    x, y = _words(a, b)
    return np.asarray(np.where(y == 0, x, x % np.where(y == 0, x.dtype.type(1), y)))


def _magnitude(x: Words) -> tuple[Truth, Words]:
    """Whether a two's complement word is negative, and its absolute value as an unsigned one."""
    negative = _signed(x) < 0
    return negative, np.asarray(np.where(negative, np.negative(x), x))


def _signed_as(negative: Truth, x: Words) -> Words:
    """The word of a magnitude with a sign."""
    return np.asarray(np.where(negative, np.negative(x), x))


def int_sdiv(a: Any, b: Any) -> Words:
    """a / b, two's complement; of b = 0 it is -1, or 1 where a < 0; the smallest number by -1 is itself."""
    (p, x), (q, y) = map(_magnitude, _words(a, b))
    return _signed_as(p != q, int_udiv(x, y))


def int_srem(a: Any, b: Any) -> Words:
    """a % b with the sign of a, two's complement; a where b = 0."""
    (p, x), (_, y) = map(_magnitude, _words(a, b))
    return _signed_as(p, int_urem(x, y))


def int_smin(a: Any, b: Any) -> Words:
    """The smaller, two's complement."""
    return int_select(int_sle(a, b), a, b)


def int_smax(a: Any, b: Any) -> Words:
    """The larger, two's complement."""
    return int_select(int_sle(a, b), b, a)


def int_umin(a: Any, b: Any) -> Words:
    """The smaller, unsigned."""
    return int_select(int_ule(a, b), a, b)


def int_umax(a: Any, b: Any) -> Words:
    """The larger, unsigned."""
    return int_select(int_ule(a, b), b, a)
