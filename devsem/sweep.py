"""One function over all 2^32 inputs, in chunks, by several processes; a killed sweep goes on where it was, and ends with the same digest.

Every finished chunk is a line of a state file, written through to the disk; a line that a kill cut short is done again.
"""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

import numpy as np

from devsem.errors import Bug, UsageError
from devsem.record import decode
from devsem.records import CHUNK_BITS, Difference
from devsem.sweep_measure import Bits, Chunk, canonical, measure
from devsem.sweep_runners import Runner, make_runner

STATE = 1
# of interest at a glance: zeros, the ends of the subnormals, ±1, the largest numbers, infinities and a NaN
SPECIAL = (0x00000000, 0x80000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x3F800000, 0xBF800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000)


@dataclass(frozen=True)
class Plan:
    """What is swept: a function on a device (`runner`), `count` chunks of 2^`bits` patterns from `first` on."""

    function: str
    runner: Runner
    first: int = 0
    count: int = 1 << (32 - CHUNK_BITS)
    bits: int = CHUNK_BITS

    def __post_init__(self) -> None:
        if self.first % (1 << self.bits) or self.count < 1 or self.first + (self.count << self.bits) > 1 << 32:
            raise UsageError(f"a sweep takes whole chunks of 2^{self.bits} patterns within 2^32, not {self.count} from {self.first:#010x}")

    @property
    def head(self) -> dict[str, object]:
        """What a state file must agree in, to be gone on with."""
        return {"sweep": STATE, "function": self.function, "runner": self.runner.key, "first": self.first, "count": self.count, "bits": self.bits}


def sweep(plan: Plan, state: Path, jobs: int, progress: Callable[[int], None]) -> tuple[Chunk, ...]:
    """Every chunk in order. `progress` is told how many are done; raises UsageError where the state file is another sweep's or in use."""
    with _opened(plan, state) as (file, done):
        progress(len(done))
        left = [i for i in range(plan.count) if i not in done]
        for chunk in _measured(plan, left, jobs) if left else ():
            done[chunk.index] = chunk
            file.write(json.dumps(asdict(chunk)) + "\n")
            file.flush()
            os.fsync(file.fileno())
            progress(len(done))
    return tuple(done[i] for i in range(plan.count))


@contextmanager
def _opened(plan: Plan, state: Path) -> Iterator[tuple[TextIO, dict[int, Chunk]]]:
    """The state file, locked, with the chunks that it has."""
    try:
        state.parent.mkdir(parents=True, exist_ok=True)
        file = state.open("a+", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {state}: {error.strerror or error}") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(f"another sweep is writing {state}") from None
        file.seek(0)
        lines = file.read().splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):      # cut short by a kill
            cut = lines.pop()
            file.truncate(file.seek(0, os.SEEK_END) - len(cut.encode()))
        if not lines:
            file.write(json.dumps(plan.head) + "\n")
            file.flush()
        yield file, _read(plan, state, lines)


def _read(plan: Plan, state: Path, lines: Sequence[str]) -> dict[int, Chunk]:
    """The finished chunks of a state file."""
    try:
        head, *rest = [json.loads(line) for line in lines] or [plan.head]
    except ValueError as error:
        raise UsageError(f"{state} is damaged: {error}; remove it to start again") from None
    if head != plan.head:
        raise UsageError(f"{state} is of another sweep; remove it, or give another --out")
    found: dict[int, Chunk] = {}
    for i, row in enumerate(rest):
        chunk: Chunk = _chunk(row, f"{state}, line {i + 2}")
        if not 0 <= chunk.index < plan.count:
            raise UsageError(f"{state}, line {i + 2}, has a chunk outside the sweep")
        found[chunk.index] = chunk
    return found


def _chunk(row: object, where: str) -> Chunk:
    """A line as it was written: the two pairs are lists in JSON."""
    pairs = {k: decode(tuple[int, ...], row.get(k), f"{where}, {k}") for k in ("inputs", "results")} if isinstance(row, dict) else {}
    if not isinstance(row, dict) or any(len(p) != 2 for p in pairs.values()):
        raise UsageError(f"{where}, is no chunk")
    flat = decode(_Flat, {k: v for k, v in row.items() if k not in pairs}, where)
    return Chunk(**asdict(flat), **pairs)


@dataclass(frozen=True)
class _Flat:
    """`Chunk` without its pairs, which the strict decoder has no type for."""

    index: int
    sha256: str
    worst: float
    at: int
    nans: int | None
    misrounded: int
    up: bool
    down: bool
    first: int | None
    last: int | None


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
    finally:
        pool.shutdown(cancel_futures=True)


def first_difference(plan: Plan, spec: Runner, progress: Callable[[int], None]) -> Difference | None:
    """The first input of the plan at which the function differs from what `spec` makes of it, all NaNs taken as one."""
    kernel, other = make_runner(plan.runner, plan.function), make_runner(spec, plan.function)
    for index in range(plan.count):
        patterns = _patterns(plan, index)
        ours, theirs = kernel(patterns), other(patterns)
        different = np.flatnonzero(canonical(ours) != canonical(theirs))
        if len(different):
            return Difference(*(f"{int(values[different[0]]):#010x}" for values in (patterns, ours, theirs)))
        progress(index + 1)
    return None


# --- in a worker ---

_now: list[tuple[Plan, Callable[[Bits], Bits], tuple[int, int]]] = []


def _start(plan: Plan, parent: int) -> None:
    """Make the function; a worker ends when its parent does."""
    run = make_runner(plan.runner, plan.function)
    zeros = run(np.array([0, 1 << 31], np.uint32))
    _now[:] = [(plan, run, (int(zeros[0]), int(zeros[1])))]
    if parent:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _patterns(plan: Plan, index: int) -> Bits:
    start = plan.first + (index << plan.bits)
    return np.arange(start, start + (1 << plan.bits), dtype=np.uint64).astype(np.uint32)


def _work(index: int) -> Chunk:
    plan, run, zeros = _now[0]
    patterns = _patterns(plan, index)
    results = run(patterns)
    if results.shape != patterns.shape or results.dtype != np.uint32:
        raise Bug(f"the function {plan.function} gave no results of its inputs' shape")
    return measure(index, plan.function, patterns, results, zeros)
