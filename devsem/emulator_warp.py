"""Instructions by which the 32 threads of a warp exchange registers: `shfl.sync` and `vote.sync` [Q:PTX 9.1, 9.7.9 and 9.7.13].

A thread named in the member mask that has not ended must be there, too; one that ended, or never was, is not waited for, but nothing may be
read from it. Memory is not ordered by them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.emulator_fault import Stop
from devsem.emulator_state import WARP, Lanes, State

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Warps:
    """The threads that are here (`places`), each one's lane and the place of its warp's first thread, over all threads side by side who is here
    (`here`), and who exists at each lane of a thread's warp."""

    places: Array
    lane: Array
    first: Array
    size: Array
    here: Array

    def full(self, values: Array, fill: int = 0) -> Array:
        """Values of the threads here, as an array over all."""
        out = np.full(len(self.here), fill, values.dtype)
        out[self.places] = values
        return out


def gathered(state: State, lanes: Lanes, mask: Array, alive: Array) -> Warps:
    """The warps of the threads here; stops where the mask leaves out a thread itself, or names one that is alive (over all threads) elsewhere."""
    places = state.who.places if lanes.index is None else lanes.index
    inside = places % state.size
    lane = inside % WARP
    first = places - lane
    here = np.zeros(state.count, np.bool_)
    here[places] = True
    warps = Warps(places, lane, first, np.minimum(state.size - (inside - lane), WARP), here)
    mask = np.broadcast_to(mask, places.shape).astype(np.int64)
    if (own := mask >> lane & 1 == 0).any():
        raise Stop("absent thread", int(np.flatnonzero(own)[0]), "is not in the member mask of its own instruction")
    away = alive & ~here
    for k in range(WARP) if away.any() else ():
        missing = (mask >> k & 1 == 1) & (k < warps.size) & away[np.minimum(first + k, state.count - 1)]
        if missing.any():
            raise Stop("absent thread", int(np.flatnonzero(missing)[0]), f"exchanges registers with lane {k} of its warp, which is not there")
    return warps


def shuffle(mode: str, value: Array, by: Array, clamp: Array, warps: Warps) -> tuple[Array, Array]:
    """What each thread takes of another's register, and whether that one is in its segment; else its own."""
    lane = warps.lane
    value, by, clamp = (np.broadcast_to(a, lane.shape) for a in (value, by, clamp))
    b, c, segment = (by & 31).astype(np.int64), (clamp & 31).astype(np.int64), (clamp >> 8 & 31).astype(np.int64)
    low = lane & segment
    high = low | (c & ~segment)
    source = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": low | (b & ~segment)}[mode]
    inside = source >= high if mode == "up" else source <= high
    source = np.where(inside, source, lane)
    place = warps.first + source
    absent = (source >= warps.size) | ~warps.here[np.minimum(place, len(warps.here) - 1)]
    if absent.any():
        k = int(np.flatnonzero(absent)[0])
        raise Stop("absent thread", k, f"reads a register of lane {int(source[k])} of its warp, which is not there")
    return warps.full(value)[place], inside


def vote(mode: str, holds: Array, mask: Array, warps: Warps) -> Array:
    """`all`, `any` and `uni` as truth values, `ballot` as bits by lanes, over the threads of the mask that are here."""
    holds = warps.full(np.broadcast_to(holds, warps.lane.shape))
    mask = np.broadcast_to(mask, warps.lane.shape).astype(np.int64)
    yes, no = np.zeros(warps.lane.shape, np.int64), np.zeros(warps.lane.shape, np.int64)
    for k in range(WARP):
        place = np.minimum(warps.first + k, len(warps.here) - 1)
        member = (mask >> k & 1 == 1) & (k < warps.size) & warps.here[place]
        yes |= (member & holds[place]).astype(np.int64) << k
        no |= (member & ~holds[place]).astype(np.int64) << k
    if mode == "ballot":
        return yes.astype(np.uint32)
    out: Array = {"all": no == 0, "any": yes != 0, "uni": (no == 0) | (yes == 0)}[mode]
    return out
