"""Sums that PyTorch adds in an order of its own: what they are, and when every order gives one value.

ATEN.md, 3.1: how `sum`, `mean` and a dot product are associated depends on the shape and the GPU, and a library may round the products
of a dot product or fuse them. So a spec has one order as its text, the terms from first to last, and a note, `Free`, that the order is
not fixed. A kernel is never proved equal to such a value; it is refuted where its value differs from that of every order.

>>> [hex(v) for v in (one_sum((0x3F800000, 0x33800000, 0xBF800000)), one_sum((0x40400000, 0x3F800000, 0x3F800000))) if v is not None]
['0x40a00000']
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from devsem import floats
from devsem.expr import Expr

Kind = Literal["sum", "dot", "spread", "formula"]
NAN, INF, SIGN, MAG, ONE = 0x7FFFFFFF, 0x7F800000, 0x80000000, 0x7FFFFFFF, 0x3F800000
ZEROS = "the maximum or minimum of zeros of different signs orders -0 below +0 (PyTorch's result depends on its order)"
FEW, SET = 7, 64       # terms whose orders are all tried; different partial sums of one set of terms
LIMIT = 1 << 276       # 2^127 in units of the smallest subnormal


@dataclass(frozen=True)
class Free:
    """`value`, one order of these terms, stands for any. `terms`: of a dot product, the factors in pairs.

    `spread` is a variance and `formula` a normalisation: their formula also differs between PyTorch's kernels."""

    kind: Kind
    value: Expr
    terms: tuple[Expr, ...]


def units(pattern: int) -> int:
    """A finite number as a multiple of the smallest subnormal, 2^-149."""
    exponent, fraction = (pattern & MAG) >> 23, pattern & 0x7FFFFF
    value = fraction if exponent == 0 else (fraction | 0x800000) << (exponent - 1)
    return -value if pattern & SIGN else value


def pattern_of(value: int) -> int | None:
    """The pattern of a multiple of the smallest subnormal; None where it is no Float32."""
    size = abs(value)
    shift = max(size.bit_length() - 24, 0)
    if size & ((1 << shift) - 1) or size >= LIMIT << 1:
        return None
    short = size >> shift
    mag = short if short < 0x800000 else ((shift + 1) << 23) | (short & 0x7FFFFF)
    return mag | (SIGN if value < 0 else 0)


def _special(terms: Sequence[int]) -> int | None:
    """The sum where an infinity or a NaN decides it."""
    infinite = {t for t in terms if t & MAG == INF}
    if any(t & MAG > INF for t in terms) or len(infinite) == 2:
        return NAN
    small = sum(abs(units(t)) for t in terms if t & MAG < INF) < LIMIT
    return infinite.pop() if infinite and small else None


def one_sum(terms: Sequence[int]) -> int | None:
    """The pattern that the sum of these patterns and a zero has in every order and association; None where orders differ or it is not known."""
    if any(t & MAG >= INF for t in terms):
        return _special(terms)
    numbers = [units(t) for t in terms]
    whole = sum(map(abs, numbers))
    step = min(((n & -n).bit_length() - 1 for n in numbers if n), default=0)
    if whole >> step <= 1 << 24 and whole < LIMIT:
        return pattern_of(sum(numbers))
    largest = max(terms, key=lambda t: t & MAG)
    if absorbs(largest, whole - abs(units(largest))):
        return largest
    return _all_orders(terms) if len(terms) <= FEW else None


def absorbs(large: int, rest: int) -> bool:
    """Does this number stay as it is when terms that are `rest` units together are added to it, before or after they are added up?"""
    size = abs(units(large))
    return size.bit_length() > 28 and rest * 16 < 1 << (size.bit_length() - 24) and size < LIMIT


def _all_orders(terms: Sequence[int]) -> int | None:
    """The same by all binary trees over the terms."""
    sums: dict[int, np.ndarray] = {1 << i: np.array([t], np.uint32) for i, t in enumerate(terms)}
    for size in range(2, len(terms) + 1):
        for members in itertools.combinations(range(len(terms)), size):
            subset = sum(1 << i for i in members)
            parts = [a for a in sums if a & subset == a and a < subset ^ a and subset ^ a in sums]
            found = np.unique(np.concatenate([floats.add(sums[a][:, None], sums[subset ^ a][None, :]).reshape(-1) for a in parts]))
            if len(found) > SET:
                return None
            sums[subset] = found.astype(np.uint32)
    values = {0 if v == SIGN else v for v in sums[(1 << len(terms)) - 1].tolist()}
    return int(values.pop()) if len(values) == 1 else None


def one_dot(factors: Sequence[int]) -> int | None:
    """The same for a sum of products, each of them rounded or fused: known where the products are exact."""
    products = []
    for a, b in zip(factors[::2], factors[1::2], strict=True):
        if a & MAG >= INF or b & MAG >= INF:
            products.append(int(floats.mul(np.array([a], np.uint32), np.array([b], np.uint32))[0]))
            continue
        exact = units(a) * units(b)
        made = pattern_of(exact >> 149) if exact & ((1 << 149) - 1) == 0 else None
        if made is None:
            return NAN if _poisoned(factors) else None
        products.append(made | ((a ^ b) & SIGN))
    if all(p == SIGN for p in products):    # with a zero to start from +0, without -0
        return None
    return one_sum(products)


def _poisoned(factors: Sequence[int]) -> bool:
    """Is a factor a NaN, so that the sum is?"""
    return any(f & MAG > INF for f in factors)


def one_spread(terms: Sequence[int]) -> int | None:
    """A variance that all formulas agree on: of equal numbers, or with a NaN or an infinity."""
    if any(t & MAG >= INF for t in terms):
        return NAN
    return 0 if len(set(terms)) == 1 else None


def one_formula(terms: Sequence[int]) -> int | None:
    """A normalisation that all formulas agree on: with a NaN or an infinity."""
    return NAN if any(t & MAG >= INF for t in terms) else None


SETTLED: Mapping[Kind, Callable[[Sequence[int]], int | None]] = {"sum": one_sum, "dot": one_dot, "spread": one_spread, "formula": one_formula}
