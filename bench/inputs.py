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
BLOCK = 50          # so many pairs in a row share what is random about a lane
TABLE = 1 << 12     # special values drawn for a pair; a lane takes one by twelve random bits


def _specials(pair: Pair, rng: np.random.Generator) -> Array:
    """Special values and the pair's own constants, some of them up to two steps away."""
    own = np.array([n.value for n in topo(pair.left, pair.right) if n.is_const and n.sort == "F32"] or [0], np.uint32)
    near = np.where(rng.random(TABLE) < 0.7, rng.choice(SPECIALS, TABLE), rng.choice(own, TABLE))
    return (near + rng.integers(-2, 3, TABLE) * (rng.random(TABLE) < 0.4)).astype(np.uint32)


@lru_cache(maxsize=1)
def _dice(block: int, lanes: int) -> tuple[tuple[Array, Array, Array, Array], ...]:
    """For each variable and lane: which special value, whether another value is taken, that value, and bits for what is equal."""
    rng = np.random.default_rng([block, lanes])
    out = []
    for _ in NAMES:
        drawn = rng.integers(0, 1 << 64, lanes, np.uint64)
        raw, dice = drawn.astype(np.uint32), (drawn >> np.uint64(32)).astype(np.uint32)
        style = dice >> np.uint32(12) & np.uint32(3)
        other = np.where(style == 2, raw, (raw & np.uint32(0x83FFFFFF)) + np.uint32(0x3D000000))
        out.append(((dice & np.uint32(TABLE - 1)).astype(np.intp), style >= 2, other, dice >> np.uint32(16)))
    return tuple(out)


def adversarial(pair: Pair, lanes: int) -> dict[Expr, Array]:
    """A value of every variable in each lane, the same for the same pair: half special ones, a quarter raw patterns, a quarter between 2^-5 and 8.

    Then some lanes of a variable get another's value or its opposite, and some of the last the opposite of the others' product."""
    table = _specials(pair, np.random.default_rng(pair.number))
    env: dict[Expr, Array] = {}
    for v, (which, is_other, other, dice) in zip(NAMES, _dice(pair.number // BLOCK, lanes), strict=True):
        value = np.where(is_other, other, table.take(which))
        for i, before in enumerate(env.values()):
            choice = dice >> np.uint32(4 * i) & np.uint32(15)
            np.copyto(value, before ^ ((choice & np.uint32(1)) << np.uint32(31)), where=choice < 4)
        if len(env) == 2:
            with np.errstate(all="ignore"):
                product = np.multiply(*(x.view(np.float32) for x in env.values())).view(np.uint32)
            np.copyto(value, product ^ SIGN, where=dice >> np.uint32(12) == 0)
        env[v] = value
    return env
