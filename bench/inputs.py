"""Inputs on which float identities break: special values and their neighbours, a pair's own constants, equal and opposite values, cancellations.

>>> from pairs import make_pair
>>> sorted(v.name for v in adversarial(make_pair(7), 8))
['a', 'b', 'c']
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from pairs import NAMES, Pair

from devsem.expr import Expr, topo

Array = npt.NDArray[Any]
MAGNITUDES = (
    0, 1, 2, 0x400000, 0x7FFFFF, 0x800000, 0x800001, 0xFFFFFF, 0x1000000, 0x19800000, 0x1FFFFFFF, 0x20000000, 0x33000000, 0x33800000, 0x34000000,
    0x3EAAAAAB, 0x3EFFFFFF, 0x3F000000, 0x3F000001, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FC00000, 0x40000000, 0x40200000, 0x40400000, 0x40C00000,
    0x4AFFFFFF, 0x4B000000, 0x4B000001, 0x4B800000, 0x5F7FFFFF, 0x5F800000, 0x7E800000, 0x7F000000, 0x7F7FFFFE, 0x7F7FFFFF, 0x7F800000, 0x7FC00000)
SPECIALS = np.array([m | s for m in MAGNITUDES for s in (0, 0x80000000)], np.uint32)
SIGN = np.uint32(0x80000000)
BLOCK = 50          # so many pairs in a row share their inputs but for their own constants
OWN = 0.15          # the share of lanes where a variable is near one of the pair's own constants


def _moved(rng: np.random.Generator, near: Array) -> Array:
    """Some of the patterns up to two steps away."""
    return (near + rng.integers(-2, 3, len(near)) * (rng.random(len(near)) < 0.4)).astype(np.uint32)


@lru_cache(maxsize=1)
def _shared(block: int, lanes: int) -> tuple[tuple[Array, Array], ...]:
    """For each variable its value in each lane, and the lanes where a pair's own constant comes instead."""
    rng = np.random.default_rng([block, lanes])
    out: list[tuple[Array, Array]] = []
    for _ in NAMES:
        raw, style = rng.integers(0, 1 << 32, lanes, np.uint32), rng.integers(0, 4, lanes)
        value = np.where(style == 2, raw, (raw & np.uint32(0x83FFFFFF)) + np.uint32(0x3D000000))
        value = np.where(style < 2, _moved(rng, rng.choice(SPECIALS, lanes)), value)
        for other, _ in out:
            choice = rng.integers(0, 16, lanes)
            value = np.where(choice < 2, other, np.where(choice < 4, other ^ SIGN, value))
        if len(out) == 2:
            with np.errstate(all="ignore"):
                product = np.multiply(*(x.view(np.float32) for x, _ in out)).view(np.uint32)
            value = np.where(rng.random(lanes) < 0.05, product ^ SIGN, value)
        own = np.flatnonzero(rng.random(lanes) < OWN)
        if out:     # half of them where the first variable is a constant too
            own = np.unique(np.concatenate([own[: len(own) // 2], rng.choice(out[0][1], len(own) // 2)]))
        out.append((value, own))
    return tuple(out)


def adversarial(pair: Pair, lanes: int) -> dict[Expr, Array]:
    """A value of every variable in each lane, the same for the same pair: half special ones, a quarter raw patterns, a quarter between 2^-5 and 8.

    Some lanes of a variable have another's value or its opposite, and some of the last the opposite of the others' product. Then the pair's
    own constants, of either sign, and their neighbours take some lanes."""
    rng = np.random.default_rng(pair.number)
    found = [n.value for n in topo(pair.left, pair.right) if n.is_const and n.sort == "F32"] or [0]
    constants = np.array([p ^ s for p in found for s in (0, 0x80000000)], np.uint32)
    env: dict[Expr, Array] = {}
    for v, (value, own) in zip(NAMES, _shared(pair.number // BLOCK, lanes), strict=True):
        env[v] = value.copy()
        env[v][own] = _moved(rng, rng.choice(constants, len(own)))
    return env
