"""Who reads and who writes the cells of a memory, and whose accesses no barrier orders.

Two accesses of one cell by different threads, at least one of them a write, race if the threads are of different blocks, or of one block
with no barrier between them. It does not matter what is written. `Log` remembers of each cell just enough to find a race if there is one:
the last write; of the reads since the block's last barrier one thread and another one; of all reads one thread and one of another block.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
NOBODY = -1


@dataclass(frozen=True)
class Who:
    """The threads of one access: each one's number in the launch, its block's, the number of its barrier interval (no two blocks share one),
    and the place in the source."""

    threads: Array
    blocks: Array
    epochs: Array
    site: int


@dataclass(frozen=True)
class Clash:
    """Of each access: the thread that it races with, or NOBODY; whether that one reads; and where, as a number of a place."""

    threads: Array
    reads: Array
    sites: Array


class Log:
    """The accesses to `size` cells so far, by blocks of `per_block` threads."""

    FIELDS = ("writer", "write_epoch", "write_site", "reader", "second", "read_epoch", "first", "foreign", "reader_site", "second_site", "first_site",
              "foreign_site")

    def __init__(self, size: int, per_block: int) -> None:
        self.per_block = per_block
        for name in self.FIELDS:
            setattr(self, name, np.full(size, NOBODY, np.int64))

    writer: Array
    write_epoch: Array
    write_site: Array
    reader: Array
    second: Array
    read_epoch: Array
    first: Array
    foreign: Array
    reader_site: Array
    second_site: Array
    first_site: Array
    foreign_site: Array

    def grow(self, size: int) -> None:
        """Make room for more cells."""
        for name in self.FIELDS:
            old = getattr(self, name)
            setattr(self, name, np.concatenate([old, np.full(size - len(old), NOBODY, np.int64)]))

    def _written(self, cells: Array, who: Who) -> Array:
        """The threads of earlier writes that no barrier separates from these accesses, or NOBODY."""
        writer = self.writer[cells]
        clash = (writer >= 0) & (writer != who.threads) & ((writer // self.per_block != who.blocks) | (self.write_epoch[cells] == who.epochs))
        return np.where(clash, writer, NOBODY)

    def read(self, cells: Array, who: Who) -> Clash:
        """Note reads; a cell may occur several times."""
        clash = Clash(self._written(cells, who), np.zeros(len(cells), np.bool_), self.write_site[cells])
        before = self.reader[cells]
        fresh = self.read_epoch[cells] != who.epochs
        self.second[cells[fresh]] = NOBODY
        more = ~fresh & (before != who.threads)
        self.second_site[cells[more]], self.second[cells[more]] = self.reader_site[cells[more]], before[more]
        self.reader[cells], self.read_epoch[cells], self.reader_site[cells] = who.threads, who.epochs, who.site
        also = self.reader[cells] != who.threads
        self.second[cells[also]], self.second_site[cells[also]] = who.threads[also], who.site
        new = self.first[cells] < 0
        self.first[cells[new]], self.first_site[cells[new]] = who.threads[new], who.site
        away = self.first[cells] // self.per_block != who.blocks
        self.foreign[cells[away]], self.foreign_site[cells[away]] = who.threads[away], who.site
        return clash

    def write(self, cells: Array, who: Who) -> Clash:
        """Note writes; a cell may occur several times, which is a race if the threads differ."""
        writer, near = self._written(cells, who), self.read_epoch[cells] == who.epochs
        reader, sites = np.full(len(cells), NOBODY, np.int64), self.write_site[cells]
        for name in ("reader", "second", "first", "foreign"):
            other = getattr(self, name)[cells]
            apart = near if name in ("reader", "second") else other // self.per_block != who.blocks
            found = (reader < 0) & (writer < 0) & (other >= 0) & (other != who.threads) & apart
            reader, sites = np.where(found, other, reader), np.where(found, getattr(self, f"{name}_site")[cells], sites)
        self.writer[cells], self.write_epoch[cells], self.write_site[cells] = who.threads, who.epochs, who.site
        last = self.writer[cells]
        at_once = (writer < 0) & (reader < 0) & (last != who.threads)
        return Clash(np.where(at_once, last, np.where(reader >= 0, reader, writer)), reader >= 0, np.where(at_once, who.site, sites))
