"""The lock file: what an audit found, to be compared with what a later one finds. Sorted JSON, the same for the same findings.

A cell that is not locked is compared with the one locked cell of the same flags and architecture under another toolkit, if there is one:
a new compiler is what a lock is there to notice. A function is kept as an expression, so that a change comes with a theorem that there is
none, or with inputs that separate.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from devsem.audit_cells import Audit, Cell, Key
from devsem.errors import UsageError
from devsem.expr import Expr
from devsem.exprrows import Rows, values
from devsem.record import decode, encode
from devsem.report import value
from devsem.verdict import Outcome

LOCK = 1


@dataclass(frozen=True)
class LockedCell:
    """One cell: its verdict, its function by digest and as rows (none if the machine code leaves a choice), its instructions."""

    flags: str
    device: str
    arch: str
    toolkit: str
    verdict: Outcome
    function: str
    rows: Rows
    outputs: tuple[int, ...]
    ptx: Mapping[str, int]
    sass: Mapping[str, int]

    @property
    def key(self) -> Key:
        """Which cell it is."""
        return Key(self.flags, self.device, self.arch, self.toolkit)


@dataclass(frozen=True)
class LockedKernel:
    """One kernel against one spec: the SHA-256 of what the compiler got, the question's options, and the cells."""

    text: str
    spec: str
    question: Mapping[str, str]
    cells: tuple[LockedCell, ...]


@dataclass(frozen=True)
class Lock:
    """Every kernel of a lock file, by its path."""

    lock: int
    kernels: Mapping[str, LockedKernel]


def load(path: Path) -> Lock | None:
    """The lock in a file; None where there is no file. UsageError where it is not one of ours."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the lock file {path}: {error}") from None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError(f"{path} is no lock file: it is not JSON") from None
    if not isinstance(data, dict) or data.get("lock") != LOCK:
        raise UsageError(f"{path} is no lock file of this devsem: it has no \"lock\": {LOCK}")
    found: Lock = decode(Lock, data, str(path))
    for name, kernel in found.kernels.items():
        for cell in kernel.cells:
            _checked(path, name, cell)
    return found


def _checked(path: Path, name: str, cell: LockedCell) -> tuple[Expr, ...]:
    try:
        return values(cell.rows, cell.outputs)
    except ValueError as error:
        raise UsageError(f"{path} is damaged: the function of {name}, {cell.key}: {error}") from None


def locked(found: Audit, question: Mapping[str, str]) -> LockedKernel:
    """What a lock keeps of an audit."""
    cells = (LockedCell(**encode(c.key), verdict=c.verdict.verdict, function=c.function, rows=c.rows, outputs=c.outputs, ptx=c.ptx, sass=c.sass)
             for c in found.cells)
    return LockedKernel(found.text, found.spec, dict(sorted(question.items())), tuple(sorted(cells, key=lambda c: str(c.key))))


def write(path: Path, old: Lock | None, name: str, kernel: LockedKernel) -> None:
    """Write the lock with this kernel's entry; a reader sees the old file or the new one."""
    new = Lock(LOCK, dict(sorted({**(old.kernels if old else {}), name: kernel}.items())))
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(encode(new), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write the lock file {path}: {error.strerror or error}") from None


def same_question(path: Path, kernel: LockedKernel, question: Mapping[str, str]) -> None:
    """UsageError where the lock answers another question."""
    for name in sorted({*kernel.question, *question}):
        old, new = kernel.question.get(name, ""), question.get(name, "")
        if old != new:
            raise UsageError(f"{path} was written with {name} {old!r}, and this is {new!r}: use the same options, or --update")


def fitting(kernel: LockedKernel, key: Key) -> LockedCell | None:
    """The locked cell to compare a cell with: its own, or the only one of the same flags and architecture."""
    exact = [c for c in kernel.cells if c.key == key]
    near = [c for c in kernel.cells if (c.flags, c.arch) == (key.flags, key.arch)]
    return exact[0] if exact else near[0] if len(near) == 1 else None


def changes(kernel: LockedKernel, found: Audit) -> Iterable[str]:
    """A sentence for each verdict or function that is not the locked one."""
    for cell in found.cells:
        old = fitting(kernel, cell.key)
        if old is None:
            yield f"{cell.key} is not in the lock; --update writes it"
            continue
        where = str(cell.key) if old.key == cell.key else f"{cell.key} (locked with {old.toolkit})"
        if old.verdict != cell.verdict.verdict:
            yield f"{where}: the verdict was {old.verdict} and is {cell.verdict.verdict}{_witness(cell)}"
        if old.function != cell.function:
            yield from _function(where, old, cell)


def _witness(cell: Cell) -> str:
    w = cell.verdict.witness
    return f", at {', '.join(f'{name} = {value(p)}' for name, p in w.inputs.items())}: {value(w.kernel)}, spec {value(w.spec)}" if w else ""


def _function(where: str, old: LockedCell, cell: Cell) -> Iterable[str]:
    """What is known of a function whose expression changed; nothing where a theorem says that it is the same function."""
    against = next((a for a in cell.against if a.axis == "lock"), None)
    changed = f"the function changed ({old.function[:12] or 'none'} → {cell.function[:12] or 'none'})"
    if against is None or against.result == "open":
        yield f"{where}: {changed}" + (f"; not shown to be equal: {against.reason}" if against else "")
    elif against.result == "differs" and against.witness is not None:
        w = against.witness
        at = ", ".join(f"{name} = {value(p)}" for name, p in w.inputs.items())
        yield f"{where}: {changed}: at {at} it was {value(w.spec)} and is {value(w.kernel)}"
