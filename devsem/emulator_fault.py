"""What a launch on concrete inputs may do wrong: a result with its place, never an exception of the emulator's caller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from devsem.errors import Where

FaultKind = Literal["out of bounds", "misaligned", "read-only", "uninitialised", "race", "divergent barrier", "absent thread", "step limit"]
Three = tuple[int, int, int]


@dataclass(frozen=True)
class Fault:
    """The first thing that went wrong: one thread doing it, its place in the PTX, and one sentence; of memory also which buffer, and the byte in it."""

    kind: FaultKind
    where: Where
    block: Three
    thread: Three
    what: str
    buffer: str = ""
    offset: int = 0

    def __str__(self) -> str:
        return f"{self.where}: {self.kind}: thread {self.thread} of block {self.block} {self.what}"


class Stop(Exception):
    """A fault seen by a part that knows neither instruction nor thread: `lane` counts among the threads that run."""

    def __init__(self, kind: FaultKind, lane: int, what: str, buffer: str = "", offset: int = 0) -> None:
        super().__init__(what)
        self.kind, self.lane, self.what, self.buffer, self.offset = kind, lane, what, buffer, offset
