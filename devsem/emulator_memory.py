"""The memory of a launch on concrete inputs: buffers with their extents, shared memory of every block, local memory of every thread.

An address has 64 bits: which region, and the byte in it, counted from the region's middle, so that a pointer moved out of a buffer
either way is still seen to belong to it. Shared and local memory have one region each, of equal parts for the blocks or threads;
bytes between two arrays there belong to none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.emulator_fault import Stop
from devsem.emulator_races import Log, Who, log

Array = npt.NDArray[Any]
SHIFT, MIDDLE, MASK = np.uint64(40), 1 << 39, np.uint64((1 << 40) - 1)
SHARED, LOCAL, FIRST = 1, 2, 3
UNSET, SET, OUTSIDE = 0, 1, 2       # what a byte of shared or local memory is
WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def address_of(region: int) -> int:
    """The address of a region's first byte."""
    return (region << int(SHIFT)) + MIDDLE


@dataclass
class Region:
    """`parts` times `extent` bytes, each part beginning at a multiple of `stride`."""

    name: str
    space: str
    extent: int
    stride: int
    data: Array
    state: Array | None = None
    log: Log | None = None

    def part(self, who: Who) -> Array | int:
        """Which part each thread sees."""
        return who.rows if self.space == "shared" else who.places if self.space == "local" else 0


def region(name: str, space: str, raw: bytes, grain: int | None) -> Region:
    """A region of its own, filled."""
    data = np.zeros(-(-len(raw) // 16) * 16, np.uint8)
    data[:len(raw)] = np.frombuffer(raw, np.uint8)
    return Region(name, space, len(raw), len(data), data, None, log(len(data), grain) if grain else None)


def parted(space: str, layout: Array, parts: int, grain: int | None) -> Region:
    """Shared memory of `parts` blocks, or local memory of as many threads; `layout` says of each byte of a part UNSET or OUTSIDE."""
    size = -(-max(len(layout), 1) // 16) * 16
    state = np.full((parts, size), OUTSIDE, np.uint8)
    state[:, :len(layout)] = layout
    return Region(f"{space} memory", space, len(layout), size, np.zeros(parts * size, np.uint8), state.reshape(-1), log(parts * size, grain) if grain else None)


class Memory:
    """All regions by their numbers; shared and local memory are new for each group of blocks."""

    def __init__(self, regions: Sequence[Region]) -> None:
        self.regions = {FIRST + k: r for k, r in enumerate(regions)}

    def load(self, address: Array, space: str, size: int, count: int, who: Who) -> list[Array]:
        """`count` neighbouring words of `size` bytes for each thread; one address for all may give one value for all."""
        found = [np.zeros(len(address), WORDS[size]) for _ in range(count)]
        if len(address) == 1 and len(who.threads) > 1:
            if int(address[0] >> SHIFT) in (SHARED, LOCAL):
                return self.load(np.repeat(address, len(who.threads)), space, size, count, who)
            home, offset = self._checked(address, space, size * count, who.at(np.zeros(1, np.int64)), "reads")
            offset = np.repeat(offset, len(who.threads))
            for k in range(count):
                self._note_read(home, offset + k * size, size, who)
                found[k] = home.data.view(WORDS[size])[(offset[:1] + k * size) // size]
            return found
        for lanes, part in _groups(address, who):
            home, offset = self._checked(address[lanes], space, size * count, part, "reads", lanes)
            for k in range(count):
                at = offset + k * size
                if home.state is not None:
                    self._refuse(_any(home.state, at, size, UNSET), lanes, "uninitialised", f"reads {size} bytes of {home.name} that nothing wrote", home, at)
                self._note_read(home, at, size, part, lanes)
                found[k][lanes] = home.data.view(WORDS[size])[at // size]
        return found

    def store(self, address: Array, space: str, values: Sequence[Array], who: Who) -> None:
        """Neighbouring words for each thread; values of one element are for all."""
        size = values[0].dtype.itemsize
        for lanes, part in _groups(np.broadcast_to(address, who.threads.shape), who):
            home, offset = self._checked(np.broadcast_to(address, who.threads.shape)[lanes], space, size * len(values), part, "writes", lanes)
            if home.space == "const":
                raise Stop("read-only", _lane(lanes, 0), f"writes to the constant array `{home.name}`", home.name, int(offset[0]))
            for k, value in enumerate(values):
                self._write(home, offset + k * size, np.broadcast_to(value, who.threads.shape)[lanes], part, lanes)

    def _write(self, home: Region, at: Array, value: Array, who: Who, lanes: Array | slice) -> None:
        words, size = home.data.view(value.dtype), value.dtype.itemsize
        place = at // size
        if home.log is not None:
            for cells in home.log.cells(at, size):
                self._refuse(home.log.reads.meets(cells, who), lanes, "race",
                             f"writes {home.name} where another thread reads, with no barrier between", home, at)
                twice = home.log.writes.meets(cells, who) & (words[place] != value)
                self._refuse(twice, lanes, "race", f"writes to {home.name} another value than another thread, with no barrier between", home, at)
                home.log.writes.add(cells, who)
        words[place] = value
        if home.log is not None:
            self._refuse(words[place] != value, lanes, "race", f"writes to {home.name} another value than another thread, with no barrier between", home, at)
        if home.state is not None:
            for k in range(size):
                home.state[at + k] = SET

    def _note_read(self, home: Region, at: Array, size: int, who: Who, lanes: Array | slice = slice(None)) -> None:
        if home.log is None or home.space == "const":
            return
        for cells in home.log.cells(at, size):
            self._refuse(home.log.writes.meets(cells, who), lanes, "race", f"reads {home.name} where another thread writes, with no barrier between", home, at)
            home.log.reads.add(cells, who)

    def _checked(self, address: Array, space: str, size: int, who: Who, does: str, lanes: Array | slice = slice(None)) -> tuple[Region, Array]:
        """The region of addresses that have one, and the bytes in its data."""
        home = self.regions.get(int(address[0] >> SHIFT))
        if home is None or space not in ("", home.space):
            raise Stop("out of bounds", _lane(lanes, 0), f"{does} {size} bytes at {int(address[0]):#x}, which is no address of {space or 'any'} memory")
        offset = (address & MASK).astype(np.int64) - MIDDLE
        said = f"{does} {size} bytes of {home.name}, which has {home.extent}"
        self._refuse((offset < 0) | (offset > home.extent - size), lanes, "out of bounds", said, home, offset)
        self._refuse(offset % size != 0, lanes, "misaligned", f"{does} {size} bytes of {home.name} at once", home, offset)
        flat = offset + home.part(who) * home.stride
        if home.state is not None:
            self._refuse(_any(home.state, flat, size, OUTSIDE), lanes, "out of bounds", f"{does} {size} bytes of {home.name} beside its arrays", home, offset)
        return home, flat

    def _refuse(self, bad: Array, lanes: Array | slice, kind: Any, what: str, home: Region, offset: Array) -> None:
        """Stop at the first thread of which something bad is seen."""
        if bad.any():
            first = int(np.flatnonzero(bad)[0])
            inside = int(offset[first]) % home.stride if home.state is not None and kind != "out of bounds" else int(offset[first])
            raise Stop(kind, _lane(lanes, first), f"{what} (at byte {inside})", home.name, inside)


def _any(state: Array, at: Array, size: int, what: int) -> Array:
    """Is one of the bytes so?"""
    found: Array = state[at] == what
    for k in range(1, size):
        found = found | (state[at + k] == what)
    return found


def _groups(address: Array, who: Who) -> Iterator[tuple[Array | slice, Who]]:
    """The threads whose addresses lie in one region together."""
    regions = address >> SHIFT
    if (regions == regions[0]).all():
        yield slice(None), who
        return
    for number in np.unique(regions):
        lanes = np.flatnonzero(regions == number)
        yield lanes, who.at(lanes)


def _lane(lanes: Array | slice, k: int) -> int:
    return k if isinstance(lanes, slice) else int(lanes[k])
