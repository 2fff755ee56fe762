"""The state file of a sweep: a line for each finished chunk, written through to the disk, each with its checksum.

One sweep writes a state at a time. A line that a kill cut short is done again; a line that is otherwise not as it was written is refused.
"""

from __future__ import annotations

import fcntl
import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from devsem.errors import UsageError
from devsem.record import decode, encode
from devsem.sweep_measure import Chunk


@dataclass(frozen=True)
class State:
    """An open state file with the chunks that it has."""

    path: Path
    file: FileIO
    done: dict[int, Chunk]

    def add(self, chunk: Chunk) -> None:
        """Keep a finished chunk: once this returns, no kill loses it."""
        self.write(encode(chunk))
        self.done[chunk.index] = chunk

    def write(self, value: object) -> None:
        """A line, through to the disk."""
        line = _line(value)
        try:
            while line:
                line = line[self.file.write(line):]
            os.fsync(self.file.fileno())
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror or error}") from None


@contextmanager
def opened(path: Path, head: Mapping[str, object], count: int) -> Iterator[State]:
    """The state in a file, locked; `head` is what makes the sweep, of `count` chunks. UsageError where the file is another sweep's, damaged or in use."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b", buffering=0)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(f"another sweep is writing {path}") from None
        if not path.exists() or not os.path.samestat(os.fstat(file.fileno()), path.stat()):
            raise UsageError(f"another sweep has just recorded what was in {path}; start again")
        lines = _whole_lines(file)
        state = State(path, file, _read(path, head, count, lines))
        if not lines:
            state.write(dict(head))
        yield state


def _whole_lines(file: FileIO) -> list[bytes]:
    """The lines, without one that a kill cut short, which goes from the file too."""
    file.seek(0)
    *lines, cut = file.read().split(b"\n")
    if cut:
        file.truncate(sum(len(line) + 1 for line in lines))
    return lines


def _line(value: object) -> bytes:
    text = json.dumps(value).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _read(path: Path, head: Mapping[str, object], count: int, lines: Sequence[bytes]) -> dict[int, Chunk]:
    """The finished chunks of a state file."""
    rows = [_row(line, f"{path}, line {i}") for i, line in enumerate(lines, 1)]
    if rows and rows[0] != head:
        raise UsageError(f"{path} is of another sweep; remove it, or give another --out")
    found: dict[int, Chunk] = {}
    for i, row in enumerate(rows[1:], 2):
        chunk: Chunk = decode(Chunk, row, f"{path}, line {i}")
        if not 0 <= chunk.index < count or chunk.index in found:
            raise UsageError(f"{path}, line {i}, has a chunk that is outside the sweep, or there already; remove the file to start again")
        found[chunk.index] = chunk
    return found


def _row(line: bytes, where: str) -> object:
    """What a line says, if it is as it was written."""
    check, _, text = line.partition(b" ")
    if check != b"%08x" % zlib.crc32(text):
        raise UsageError(f"{where}, is damaged: its checksum is another; remove the file to start again")
    return json.loads(text)
