"""Who read and who wrote each cell of a memory, as far as that may still race: an access is over for its block at a barrier, for others never.

For each cell one thread is remembered, whether others of its block did the same since the barrier, and whether another block ever did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Who:
    """The threads of one access: each one's number in the launch, its block's, its place and its block's place among those that run side by
    side, and how many barriers its block has passed."""

    threads: Array
    blocks: Array
    places: Array
    rows: Array
    interval: Array

    def at(self, lanes: Array) -> Who:
        """Some of the threads."""
        return Who(self.threads[lanes], self.blocks[lanes], self.places[lanes], self.rows[lanes], self.interval[lanes])


class Touched:
    """The reads, or the writes, of `size` cells."""

    def __init__(self, size: int) -> None:
        self.thread = np.full(size, -1, np.int64)
        self.block = np.full(size, -1, np.int64)
        self.interval = np.zeros(size, np.int64)
        self.several = np.zeros(size, np.bool_)
        self.elsewhere = np.zeros(size, np.bool_)

    def add(self, cells: Array, who: Who) -> None:
        """These threads did it too; a cell may occur several times."""
        before = self.thread[cells]
        fresh = (before < 0) | ((self.block[cells] == who.blocks) & (self.interval[cells] != who.interval))
        new = cells[fresh]
        self.thread[new], self.block[new], self.interval[new], self.several[new] = who.threads[fresh], who.blocks[fresh], who.interval[fresh], False
        self.several[cells[self.thread[cells] != who.threads]] = True
        self.elsewhere[cells[self.block[cells] != who.blocks]] = True

    def meets(self, cells: Array, who: Who) -> Array:
        """Which of these threads' accesses may come before or after one of another thread."""
        thread, block = self.thread[cells], self.block[cells]
        near = (self.interval[cells] == who.interval) & ((thread != who.threads) | self.several[cells])
        out: Array = (thread >= 0) & (self.elsewhere[cells] | np.where(block == who.blocks, near, True))
        return out


@dataclass(frozen=True)
class Log:
    """The accesses to one memory, in cells of `grain` bytes."""

    grain: int
    reads: Touched
    writes: Touched

    def cells(self, offsets: Array, size: int) -> list[Array]:
        """The cells of accesses of `size` bytes."""
        first = offsets // self.grain
        return [first + k for k in range(max(size // self.grain, 1))]


def log(size: int, grain: int) -> Log:
    """A log of nothing yet, for a memory of `size` bytes."""
    count = -(-size // grain)
    return Log(grain, Touched(count), Touched(count))
