"""What the threads that run side by side hold: registers as arrays over threads, and which threads an instruction is for.

An array of one element is the same for all threads. Arrays are never changed in place where another register may hold them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.emulator_fault import Stop, Three
from devsem.emulator_races import Who
from devsem.errors import Rejected, Where
from devsem.frontend.ptx_ast import Function
from devsem.rejections import rejection

Array = npt.NDArray[Any]
WARP = 32
AXES = "xyz"
WIDTHS: dict[str, type[np.generic]] = {"pred": np.bool_, "16": np.uint16, "32": np.uint32, "64": np.uint64}


@dataclass(frozen=True)
class Lanes:
    """Threads by their places among those side by side, in rising order; `index` is None for all of them."""

    count: int
    index: Array | None = None

    def where(self, holds: Array) -> Lanes:
        """Those of them where something holds, given for each, or once for all."""
        if len(holds) == 1 and self.count != 1:
            return self if holds[0] else Lanes(0, np.zeros(0, np.int64))
        found = np.flatnonzero(holds)
        if len(found) == self.count:
            return self
        return Lanes(len(found), found if self.index is None else self.index[found])

    def of(self, values: Array) -> Array:
        """Their part of an array over all threads, or of one element."""
        return values if self.index is None or len(values) == 1 else values[self.index]


def along(number: Array, shape: Three) -> list[Array]:
    """The coordinates x, y, z of numbers counted with x fastest."""
    return [number % shape[0], number // shape[0] % shape[1], number // (shape[0] * shape[1])]


class State:
    """The registers of `rows` blocks from the number `first` on."""

    def __init__(self, function: Function, grid: Three, block: Three, first: int, rows: int) -> None:
        size = block[0] * block[1] * block[2]
        self.function, self.grid, self.block, self.size, self.rows = function, grid, block, size, rows
        self.count = size * rows
        places = np.arange(self.count, dtype=np.int64)
        self.rows_of = places // size
        self.who = Who(places + first * size, self.rows_of + first, places, self.rows_of, np.zeros(self.count, np.int64))
        self.values: dict[str, Array] = {}
        self.unset: dict[str, Array] = {}
        self.everyone = Lanes(self.count)

    def whose(self, lanes: Lanes) -> Who:
        """Who they are, to the memory."""
        return self.who if lanes.index is None else self.who.at(lanes.index)

    def width(self, name: str, where: Where) -> type[np.generic]:
        """How a register's bits are kept."""
        declared = self.function.register_type(name) or ""
        found = WIDTHS.get(declared if declared == "pred" else declared[1:])
        if found is None:
            raise Rejected(rejection("ptx.undeclared", where, kind="register", name=name))
        return found

    def read(self, name: str, lanes: Lanes) -> Array:
        """A register's bits."""
        if name not in self.values:
            raise Stop("uninitialised", 0, f"reads the register {name} that nothing wrote")
        if name in self.unset:
            missing = lanes.of(self.unset[name])
            if missing.any():
                raise Stop("uninitialised", int(np.flatnonzero(missing)[0]), f"reads the register {name} that it has not written")
        return lanes.of(self.values[name])

    def write(self, name: str, value: Array, lanes: Lanes) -> None:
        """Set a register for some threads."""
        if lanes.index is None:
            self.values[name] = value
            self.unset.pop(name, None)
            return
        old = self.values.get(name)
        if old is None:
            self.unset[name] = np.ones(self.count, np.bool_)
        new = np.zeros(self.count, value.dtype) if old is None else np.broadcast_to(old, (self.count,)).copy()
        new[lanes.index] = value
        self.values[name] = new
        if name in self.unset:
            self.unset[name][lanes.index] = False
            if not self.unset[name].any():
                del self.unset[name]

    def special(self, name: str, lanes: Lanes) -> Array | None:
        """A special register, as 32 bits; None for one that is not known."""
        register, _, axis = name.partition(".")
        if axis and axis in AXES:
            k = AXES.index(axis)
            match register:
                case "%ntid":
                    return np.array([self.block[k]], np.uint32)
                case "%nctaid":
                    return np.array([self.grid[k]], np.uint32)
                case "%tid":
                    return lanes.of(along(self.who.places % self.size, self.block)[k].astype(np.uint32))
                case "%ctaid":
                    return lanes.of(along(self.who.blocks, self.grid)[k].astype(np.uint32))
        if name == "%laneid":
            return lanes.of((self.who.places % self.size % WARP).astype(np.uint32))
        if name == "%warpid":
            return lanes.of((self.who.places % self.size // WARP).astype(np.uint32))
        return np.array([WARP], np.uint32) if name == "WARP_SZ" else None

    def pass_barrier(self, lanes: Lanes) -> None:
        """All threads of each block that is here pass; stops where a block has only some of them here."""
        if lanes.index is None:
            self.who = Who(self.who.threads, self.who.blocks, self.who.places, self.who.rows, self.who.interval + 1)
            return
        here = np.bincount(self.rows_of[lanes.index], minlength=self.rows)
        torn = np.flatnonzero((here > 0) & (here < self.size))
        if len(torn):
            row = int(torn[0])
            inside = lanes.index[self.rows_of[lanes.index] == row] - row * self.size
            missing = int(np.setdiff1d(np.arange(self.size), inside)[0])
            x, y, z = (int(c[0]) for c in along(np.array([missing]), self.block))
            lane = int(np.flatnonzero(self.rows_of[lanes.index] == row)[0])
            raise Stop("divergent barrier", lane, f"waits at a barrier with {len(inside)} of its block's {self.size} threads: thread {(x, y, z)} is not there")
        interval = self.who.interval.copy()
        interval[lanes.index] += 1
        self.who = Who(self.who.threads, self.who.blocks, self.who.places, self.who.rows, interval)
