"""Conversions and bits of numbers: Lean's kernel and Python give the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from asklean import disagreements
from draw import SPECIALS, patterns, seed

from devsem.ops import B32, B64, F32, OPS, Op

CONVERSIONS = [op for op in OPS.values() if op.kind == "exact" and {B32, B64} & {*op.args, op.out} and F32 in {*op.args, op.out}]
ENDS = np.array([0x3F000000, 0x3FC00000, 0x4B000000, 0x4F000000, 0x4F800000, 0x5F000000, 0x5F800000], dtype=np.int64)


def draw(op: Op, n: int) -> list[np.ndarray[Any, Any]]:
    """Columns of arguments: numbers around the ends of integers, words of every length, exponents near and far."""
    rng = np.random.default_rng(seed())
    near = (rng.choice(ENDS, n) + rng.integers(-2, 3, n)).astype(np.uint32) | rng.integers(0, 2, n, dtype=np.uint32) << 31
    sized = rng.integers(0x3E000000, 0x60000000, n, dtype=np.uint32) | rng.integers(0, 2, n, dtype=np.uint32) << 31
    x = np.choose(rng.integers(0, 4, n), [near, sized, patterns(seed(), n), rng.choice(SPECIALS, n)])
    wide = rng.integers(0, 1 << 64, n, dtype=np.uint64) >> rng.integers(0, 64, n, dtype=np.uint64)
    wide = np.where(rng.integers(0, 2, n) == 0, wide, np.uint64(0) - wide)
    power = np.where(rng.integers(0, 4, n) == 0, wide.astype(np.uint32), rng.integers(-290, 290, n).astype(np.uint32))
    if op.name == "of_bits":
        return [x]
    made = {F32: x, B64: wide, B32: power if op.args == (F32, B32) else wide.astype(np.uint32)}
    return [made[sort] for sort in op.args]


@pytest.mark.lean
@pytest.mark.parametrize("op", CONVERSIONS, ids=lambda op: op.name)
def test_kernel_and_python_agree(op: Op) -> None:
    assert disagreements(op, draw(op, 60)) == []


@pytest.mark.slow
@pytest.mark.lean
@pytest.mark.parametrize("op", CONVERSIONS, ids=lambda op: op.name)
def test_kernel_and_python_agree_on_many(op: Op) -> None:
    assert disagreements(op, draw(op, 1500)) == []
