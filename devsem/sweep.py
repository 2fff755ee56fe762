"""One function over all 2^32 inputs, in chunks, by several processes; a killed sweep goes on where it was, and ends with the same digest.

A function of two arguments runs on the sample of `sweep_pairs.py` instead. Every finished chunk is kept in a state file (`sweep_state.py`).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from devsem import sweep_pairs, sweep_state
from devsem.errors import Bug, UsageError
from devsem.records import CHUNK_BITS, FUNCTIONS, Difference
from devsem.sweep_measure import Bits, Chunk, canonical, measure, shown
from devsem.sweep_runners import Runner, make_runner

STATE = 2
# of interest at a glance: zeros, the ends of the subnormals, ±1, the largest numbers, infinities and a NaN
SPECIAL = (0x00000000, 0x80000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x3F800000, 0xBF800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000)


@dataclass(frozen=True)
class Plan:
    """What is swept: a function on a device (`runner`), `count` chunks of 2^`bits` inputs from `first` on: a pattern, or a number of the sample of pairs."""

    function: str
    runner: Runner
    first: int = 0
    count: int = 1 << (32 - CHUNK_BITS)
    bits: int = CHUNK_BITS

    def __post_init__(self) -> None:
        if self.first % (1 << self.bits) or self.count < 1 or self.first + (self.count << self.bits) > self.all:
            raise UsageError(f"a sweep takes whole chunks of 2^{self.bits} patterns within {self.all:#x}, not {self.count} from {self.first:#010x}")

    @property
    def arguments(self) -> int:
        """How many the function has."""
        return FUNCTIONS[self.function]

    @property
    def all(self) -> int:
        """How many inputs there are: every pattern, or the sample's pairs."""
        return 1 << 32 if self.arguments == 1 else sweep_pairs.COUNT

    @property
    def head(self) -> dict[str, object]:
        """What a state file must agree in, to be gone on with."""
        return {"sweep": STATE, "function": self.function, "runner": self.runner.key(self.function),
                "first": self.first, "count": self.count, "bits": self.bits}


def sweep(plan: Plan, state: Path, jobs: int, progress: Callable[[int], None]) -> tuple[Chunk, ...]:
    """Every chunk in order, as `finished` gives them."""
    with finished(plan, state, jobs, progress) as chunks:
        return chunks


@contextmanager
def finished(plan: Plan, state: Path, jobs: int, progress: Callable[[int], None]) -> Iterator[tuple[Chunk, ...]]:
    """Every chunk in order, while no other sweep can take the state: what is recorded from it meanwhile is recorded once.

    `progress` is told how many are done; raises UsageError where the state file is another sweep's, damaged or in use."""
    with sweep_state.opened(state, plan.head, plan.count) as kept:
        progress(len(kept.done))
        left = [i for i in range(plan.count) if i not in kept.done]
        for chunk in _measured(plan, left, jobs) if left else ():
            kept.add(chunk)
            progress(len(kept.done))
        yield tuple(kept.done[i] for i in range(plan.count))


def whole(function: str, runner: Runner) -> Plan:
    """Everything that there is to sweep."""
    return Plan(function, runner, count=(1 << 32 if FUNCTIONS[function] == 1 else sweep_pairs.COUNT) >> CHUNK_BITS)


def _measured(plan: Plan, left: Sequence[int], jobs: int) -> Iterator[Chunk]:
    """The chunks as they are finished."""
    if jobs == 1:
        _start(plan, 0)
        yield from map(_work, left)
        return
    pool = ProcessPoolExecutor(min(jobs, len(left)), multiprocessing.get_context("spawn"), _start, (plan, os.getpid()))
    try:
        for future in as_completed([pool.submit(_work, i) for i in left]):
            yield future.result()
    except BrokenProcessPool:
        raise UsageError("a process of the sweep was ended from outside, perhaps for want of memory; the same command goes on where it was") from None
    finally:
        pool.shutdown(cancel_futures=True)


def first_difference(plan: Plan, spec: Runner, progress: Callable[[int], None]) -> Difference | None:
    """The first input of the plan at which the function differs from what `spec` makes of it, all NaNs taken as one."""
    kernel, other = make_runner(plan.runner, plan.function), make_runner(spec, plan.function)
    for index in range(plan.count):
        given = _given(plan, index)
        ours, theirs = kernel(*given), other(*given)
        different = np.flatnonzero(canonical(ours) != canonical(theirs))
        if len(different):
            at = different[0]
            return Difference(shown(*(int(g[at]) for g in given)), shown(int(ours[at])), shown(int(theirs[at])))
        progress(index + 1)
    return None


# --- in a worker ---

_now: list[tuple[Plan, Callable[..., Bits], tuple[int, int]]] = []


def _start(plan: Plan, parent: int) -> None:
    """Make the function; a worker ends when its parent does."""
    run = make_runner(plan.runner, plan.function)
    zeros = run(*[np.array([0, 1 << 31], np.uint32)] * plan.arguments)
    _now[:] = [(plan, run, (int(zeros[0]), int(zeros[1])))]
    if parent:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _given(plan: Plan, index: int) -> tuple[Bits, ...]:
    """The inputs of a chunk, an array for each argument."""
    start = plan.first + (index << plan.bits)
    if plan.arguments == 2:
        return sweep_pairs.first(1 << plan.bits, start)
    return (np.arange(start, start + (1 << plan.bits), dtype=np.uint64).astype(np.uint32),)


def _work(index: int) -> Chunk:
    plan, run, zeros = _now[0]
    given = _given(plan, index)
    results = run(*given)
    if results.shape != given[0].shape or results.dtype != np.uint32:
        raise Bug(f"the function {plan.function} gave no results of its inputs' shape")
    return measure(index, plan.function, given, results, zeros)
