"""Every exact operation on floats and truth values: Lean's kernel and `floats.py` give the same bits."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from asklean import disagreements
from draw import SPECIALS, seed, tuples

from devsem.ops import B32, B64, BOOL, F32, OPS, Op

FLOATS = [op for op in OPS.values() if op.kind == "exact" and not {B32, B64} & {*op.args, op.out}]

# A few of each kind of number, and two NaNs: for crossing three at a time.
CROSSED = np.array([m | s for m in (0, 1, 0x7FFFFF, 0x800000, 0x33800000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x40490FDB, 0x4B000001, 0x5F800000,
                                    0x7F7FFFFF, 0x7F800000) for s in (0, 0x80000000)] + [0x7FC00001, 0x7FFFFFFF], dtype=np.uint32)


def draw(op: Op, n: int) -> list[np.ndarray]:
    """Columns of arguments: hard float tuples, random truth values."""
    s = seed()
    rng = np.random.default_rng(s)
    floats = tuples(s, n, 3)
    return [rng.integers(0, 2, n).astype(np.bool_) if sort == BOOL else floats[i % 3] for i, sort in enumerate(op.args)]


def crossed(op: Op) -> list[np.ndarray]:
    """Columns in which every special value meets every other."""
    values = {BOOL: np.array([False, True]), F32: SPECIALS if op.args.count(F32) < 3 else CROSSED}
    return [np.array(column) for column in zip(*itertools.product(*(values[s] for s in op.args)), strict=True)]


@pytest.mark.lean
@pytest.mark.parametrize("op", FLOATS, ids=lambda op: op.name)
def test_kernel_and_python_agree(op: Op) -> None:
    assert disagreements(op, draw(op, 100)) == []


@pytest.mark.slow
@pytest.mark.lean
@pytest.mark.parametrize("op", FLOATS, ids=lambda op: op.name)
def test_kernel_and_python_agree_on_many(op: Op) -> None:
    assert disagreements(op, draw(op, 2000)) == []


@pytest.mark.slow
@pytest.mark.lean
@pytest.mark.parametrize("op", FLOATS, ids=lambda op: op.name)
def test_kernel_and_python_agree_on_special_values(op: Op) -> None:
    assert disagreements(op, crossed(op)) == []
