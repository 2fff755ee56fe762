"""Where threads meet: barriers of a block, and exchanges of registers within a warp.

As CUDA documents them: `__syncthreads()` must be reached by all threads of the block, `__shfl_*_sync` by every thread that the mask names and
that has not returned; what is read from a thread that is not there is undefined.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from devsem import program as p
from devsem.errors import Rejected, Where
from devsem.ops import F32
from devsem.rejections import rejection
from devsem.threads_eval import objects
from devsem.threads_memory import hold
from devsem.threads_state import State

Array = npt.NDArray[Any]
WARP = 32


def barrier(state: State, lanes: Array, where: Where) -> None:
    """`__syncthreads()`: every thread of each block that has one here."""
    if state.soft(lanes):
        raise Rejected(rejection("run.meet", where))
    size = state.instance.threads
    here = np.bincount(state.row[lanes], minlength=len(state.numbers))

    def said(k: int) -> str:
        row = int(state.row[lanes[k]])
        missing = np.setdiff1d(np.arange(row * size, (row + 1) * size), lanes)
        _, thread = state.coordinates(int(state.thread[missing[0]]))
        left = "has returned" if state.gone[missing[0]] else "is not there"
        return f"waits at a barrier with {here[row]} of its block's {size} threads: thread {thread} {left}"
    state.check(here[state.row[lanes]] < size, lanes, "divergent barrier", said, where)
    state.interval[here > 0] += 1


def shuffle(state: State, s: p.Shuffle, lanes: Array) -> None:
    """`__shfl_*_sync`: each thread's value, found in the register of another lane of its warp, which must be here too."""
    if state.soft(lanes):
        raise Rejected(rejection("run.meet", s.where))
    mask, by, width = (state.integers(e, lanes, s.where).astype(np.int64) for e in (s.mask, s.lane, s.width))
    me = state.place[lanes] % WARP
    first = lanes - me                              # the warp's lane 0, as a lane of ours
    state.check(~np.isin(width, (1, 2, 4, 8, 16, 32)), lanes, "shuffle", lambda k: f"exchanges in groups of {width[k]} lanes, no power of two up to 32",
                s.where)
    state.check(mask >> me & 1 == 0, lanes, "shuffle", lambda k: f"is lane {me[k]}, which the mask {mask[k]:#010x} does not name", s.where)
    begin, end, by = me & ~(width - 1), me | (width - 1), by & (WARP - 1)
    source = {"idx": begin | (by & (width - 1)), "up": me - by, "down": me + by, "xor": me ^ by}[s.kind]
    out = source < begin if s.kind == "up" else source > end
    source = np.where(out, me, source)
    size, there = state.instance.threads, np.zeros(state.count + WARP, np.bool_)
    there[lanes] = True
    exists = state.place[lanes] - me + source < size
    state.check(~(exists & there[first + source]), lanes, "shuffle",
                lambda k: f"reads from lane {source[k]} of its warp, which {'is not at this exchange' if exists[k] else 'no thread of the block is'}", s.where)
    state.check(mask >> source & 1 == 0, lanes, "shuffle", lambda k: f"reads from lane {source[k]}, which the mask {mask[k]:#010x} does not name", s.where)
    _masks(state, s.where, lanes, mask, me, first, there)
    values = state.evaluate(s.value, lanes, s.where)
    if values is None:
        state.set(s.variable, lanes, None)
        return
    spread = np.empty(state.count, values.dtype)
    spread[lanes] = values
    found = spread[first + source]
    state.set(s.variable, lanes, objects([hold(v) for v in found.tolist()]) if s.variable.sort == F32 else found)


def _masks(state: State, where: Where, lanes: Array, mask: Array, me: Array, first: Array, there: Array) -> None:
    """Every thread that the mask names and that has not returned must be here, with the same mask."""
    given = np.full(state.count + WARP, -1, np.int64)
    given[lanes] = mask
    for j in range(WARP):
        other = first + j
        named = (mask >> j & 1 == 1) & (state.place[lanes] - me + j < state.instance.threads)
        absent = named & ~there[other] & ~np.concatenate([state.gone, np.ones(WARP, np.bool_)])[other]
        state.check(absent, lanes, "shuffle", lambda k, j=j: f"exchanges with lane {j} of its warp, which is not at this exchange", where)   # type: ignore[misc]
        state.check(named & there[other] & (given[other] != mask), lanes, "shuffle",
                    lambda k, j=j: f"gives the mask {mask[k]:#010x}, and lane {j} another one", where)     # type: ignore[misc]
