"""The log of accesses against all pairs of accesses: two of one cell meet if their threads differ, and no barrier of one block is between them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from draw import seed

from devsem.emulator_races import Touched, Who, log

THREADS, SIZE, CELLS = 9, 3, 4      # three threads a block

Access = tuple[int, int, int]       # thread, interval, cell


def who(threads: list[int], interval: list[int]) -> Who:
    t = np.array(threads, np.int64)
    return Who(t, t // SIZE, t, t // SIZE, np.array([interval[k // SIZE] for k in threads], np.int64))


def meet(a: Access, b: Access) -> bool:
    return a[2] == b[2] and a[0] != b[0] and (a[0] // SIZE != b[0] // SIZE or a[1] == b[1])


@pytest.mark.parametrize("draw", range(60))
def test_the_log_remembers_enough(draw: int) -> None:
    rng, touched = Random(seed() + draw), Touched(CELLS)
    interval, past = [0] * (THREADS // SIZE), list[Access]()
    for _ in range(12):
        if rng.random() < 0.4:
            interval[rng.randrange(len(interval))] += 1
            continue
        threads = sorted(rng.sample(range(THREADS), rng.randrange(1, 5)))
        cells = [rng.randrange(CELLS) for _ in threads]
        now = [(t, interval[t // SIZE], c) for t, c in zip(threads, cells, strict=True)]
        found = touched.meets(np.array(cells), who(threads, interval)).tolist()
        assert found == [any(meet(a, b) for b in past) for a in now], (past, now)
        touched.add(np.array(cells), who(threads, interval))
        past += now


def test_both_answers_occur() -> None:
    touched = Touched(1)
    one, other = who([0], [0, 0, 0]), who([1], [0, 0, 0])
    assert not touched.meets(np.array([0]), one)[0]
    touched.add(np.array([0]), one)
    assert not touched.meets(np.array([0]), one)[0] and touched.meets(np.array([0]), other)[0]
    assert not touched.meets(np.array([0]), who([1], [1, 0, 0]))[0] and touched.meets(np.array([0]), who([3], [1, 0, 0]))[0]


def test_an_access_touches_every_cell_of_its_words() -> None:
    found = log(16, 2)
    assert [c.tolist() for c in found.cells(np.array([0, 8]), 4)] == [[0, 4], [1, 5]]
    assert [c.tolist() for c in found.cells(np.array([2, 6]), 2)] == [[1, 3]]
    assert len(found.reads.thread) == 8
