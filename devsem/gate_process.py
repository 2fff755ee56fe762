"""Questions answered in child processes, with limits on time and memory: one that hangs or crashes costs its own answer only."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import multiprocessing.context
import resource
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")
PROCESSES, MEGABYTES = 2, 2000
NO_TIME, NOT_ASKED = "no time was left for it", "not asked, since another question has failed"


def asked(ask: Callable[[int], T], count: int, end: float, each: float, enough: Callable[[T], bool] = lambda _: False) -> list[T | str]:
    """ask(0) … ask(count - 1); a string says why there is no answer. `end` is a monotonic time, `each` the seconds that one may take. After an
    answer that is `enough` no more is asked."""
    answers: list[T | str] = [NO_TIME] * count
    context = multiprocessing.get_context("fork")
    waiting = list(reversed(range(count)))
    workers: list[_Worker[T]] = []
    try:
        while (waiting or any(w.busy is not None for w in workers)) and time.monotonic() < end + 1:
            while waiting and len(workers) < min(PROCESSES, count):
                workers.append(_Worker(context, ask))
            for w in workers:
                if w.busy is None and waiting:
                    w.give(waiting.pop())
            ready = multiprocessing.connection.wait([w.pipe for w in workers if w.busy is not None], timeout=0.25)
            for w in list(workers):
                if w.busy is None:
                    continue
                if w.pipe in ready:
                    number, found = w.busy, w.take()
                    answers[number] = found
                    if not isinstance(found, str) and enough(found):
                        return [NOT_ASKED if a == NO_TIME else a for a in answers]
                elif time.monotonic() - w.since > each:
                    answers[w.busy] = "the solver did not answer in time"
                    w.stop()
                if w.ended:
                    workers.remove(w)
    finally:
        for w in workers:
            w.stop()
    return answers


class _Worker(Generic[T]):
    """A child process that answers one question after the other."""

    def __init__(self, context: multiprocessing.context.ForkContext, ask: Callable[[int], T]) -> None:
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, ask), daemon=True)
        self.process.start()
        theirs.close()
        self.busy: int | None = None
        self.since, self.ended = 0.0, False

    def give(self, number: int) -> None:
        """Ask a question."""
        self.busy, self.since = number, time.monotonic()
        try:
            self.pipe.send(number)
        except OSError:
            self.ended = True

    def take(self) -> T | str:
        """Its answer, or that the process died of it."""
        self.busy = None
        try:
            found: T | str = self.pipe.recv()
        except (EOFError, OSError):
            self.stop()
            return "the solver's process ended"
        return found

    def stop(self) -> None:
        """End the process."""
        self.busy, self.ended = None, True
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _serve(pipe: Connection, ask: Callable[[int], object]) -> None:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])     # what the parent had mapped is no memory of the solver's
    limit = pages * resource.getpagesize() + (MEGABYTES << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    while True:
        number = pipe.recv()
        try:
            pipe.send(ask(number))
        except MemoryError:
            pipe.send("the solver had too little memory")
