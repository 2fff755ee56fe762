"""Random bit patterns where float arithmetic is hard. Seeded: `DEVSEM_SEED=n` repeats a run; pytest shows the seed on failure."""

from __future__ import annotations

import os
import secrets
from typing import Any

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint32]

_MAGNITUDES = (
    0, 1, 2, 3, 0x400000, 0x7FFFFE, 0x7FFFFF,                               # zero and subnormals
    0x800000, 0x800001, 0x800002, 0xFFFFFF, 0x1000000, 0x1000001,           # the smallest normals
    0x19800000, 0x1FFFFFFF, 0x20000000, 0x20000001, 0x33800000, 0x34000000,  # squares underflow; half an ulp and an ulp of 1
    0x3EFFFFFF, 0x3F000000, 0x3F000001, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FC00000, 0x40000000, 0x40400000, 0x40490FDB,
    0x4AFFFFFF, 0x4B000000, 0x4B000001, 0x4B7FFFFF, 0x4B800000,             # where halves, then odd numbers end
    0x5F000000, 0x5F7FFFFF, 0x7E800000, 0x7F000000, 0x7F7FFFFE, 0x7F7FFFFF,  # squares overflow; the largest
    0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF,                         # infinity and NaNs
)
SPECIALS: Bits = np.array([m | s for m in _MAGNITUDES for s in (0, 0x80000000)], dtype=np.uint32)


def seed() -> int:
    """The seed of this test: DEVSEM_SEED or a fresh one, printed."""
    value = int(os.environ.get("DEVSEM_SEED") or secrets.randbits(32))
    print(f"DEVSEM_SEED={value}")
    return value


def patterns(seed: int, n: int) -> Bits:
    """n patterns: uniform ones, specials, neighbours of specials, and numbers near 1."""
    rng = np.random.default_rng(seed)
    near = rng.choice(SPECIALS, n) + rng.integers(-3, 4, n, dtype=np.int64).astype(np.uint32)
    middling = rng.integers(0x3C000000, 0x43000000, n, dtype=np.uint32) | rng.integers(0, 2, n, dtype=np.uint32) << 31
    return _mix(rng, [rng.integers(0, 1 << 32, n, dtype=np.uint32), rng.choice(SPECIALS, n), near, middling])


def tuples(seed: int, n: int, arity: int) -> list[Bits]:
    """`arity` arrays of n patterns whose lanes belong together: equal exponents, cancelling, and products near under- and overflow."""
    rng = np.random.default_rng(seed)
    a, b, c = (patterns(int(s), n) for s in rng.integers(0, 1 << 32, 3))
    same = (a & 0xFF800000) ^ rng.integers(0, 2, n, dtype=np.uint32) << 31 | (b & 0x7FFFFF)
    cancels = (a ^ 0x80000000) + rng.integers(-4, 5, n, dtype=np.int64).astype(np.uint32)
    edge = rng.choice(np.array([1, 24, 64, 127, 230, 254], dtype=np.int64), n) + rng.integers(-2, 3, n)
    partner = np.clip(edge + 127 - (a >> 23 & 0xFF).astype(np.int64), 0, 254).astype(np.uint32) << 23 | (b & 0x807FFFFF)
    b = _mix(rng, [b, b, same, cancels, partner, partner])
    with np.errstate(all="ignore"):
        product = -(a.view(np.float32) * b.view(np.float32))
    c = _mix(rng, [c, c, a ^ 0x80000000, product.view(np.uint32) + rng.integers(-3, 4, n, dtype=np.int64).astype(np.uint32)])
    return [a, b, c][:arity]


def _mix(rng: np.random.Generator, choices: list[Any]) -> Bits:
    """Each lane from one of the choices."""
    return np.choose(rng.integers(0, len(choices), len(choices[0])), choices).astype(np.uint32)
