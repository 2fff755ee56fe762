"""What an audit says, as values and as JSON: the matrix of cells, and each cell against others."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from devsem.errors import UsageError
from devsem.expr import Expr, fold, show
from devsem.exprrows import Rows
from devsem.mnemonics import Change
from devsem.record import encode
from devsem.verdict import Comparison, HexBound, HexWitness, Obligation, Verdict, exit_code as verdict_code

SCHEMA = 1
MOST_TEXT = 400
Axis = Literal["flags", "arch", "toolkit", "text", "lock"]
Result = Literal["same", "equal", "differs", "open"]


@dataclass(frozen=True)
class Key:
    """A cell of the matrix: nvcc's flags, normalised; a profile's name and its architecture; the toolkit's version."""

    flags: str
    device: str
    arch: str
    toolkit: str

    def __str__(self) -> str:
        return f"{self.flags or '(no flags)'} {self.arch} {self.toolkit}" if self.arch else "its text"


TEXT = Key("", "ieee", "", "")


@dataclass(frozen=True)
class Against:
    """A cell against one that differs from it in `axis` only, or against the kernel's own text, each operation by itself,
    or against what a lock file has of it.

    `same`: the compiler made the same program. `equal`: a theorem that Lean accepted. `differs`: inputs that separate, both values evaluated
    by Lean; the witness' `kernel` is this cell's value, its `spec` the other's. `ptx` and `sass`: the instructions that changed."""

    axis: Axis
    other: Key
    result: Result
    reason: str = ""
    theorem: str = ""
    lean_file: str = ""
    witness: HexWitness | None = None
    bounds: tuple[HexBound, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    assumptions: tuple[str, ...] = ()
    ptx: tuple[Change, ...] = ()
    sass: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Cell:
    """What is known of one cell. `function` is a digest of the value that the kernel stores ("" if it is rejected), `value` the value shortened,
    `rows` and `outputs` the value in full (`exprrows`; none where the machine code leaves a choice);
    `text` compares the kernel as compiled with its text under the profile; `ptx` and `sass` count instructions by mnemonic."""

    key: Key
    verdict: Verdict
    function: str
    value: str
    rows: Rows
    outputs: tuple[int, ...]
    text: Comparison | None
    ptx: Mapping[str, int]
    sass: Mapping[str, int]
    against: tuple[Against, ...]


@dataclass(frozen=True)
class Audit:
    """The matrix, with what made it. `text` is the SHA-256 of the text that the compiler got."""

    schema: int
    devsem: str
    lean: str
    kernel: str
    spec: str
    text: str
    cells: tuple[Cell, ...]
    seconds: Mapping[str, float]


def shortened(values: Sequence[Expr]) -> str:
    text = "; ".join(map(show, values)) if _size(values) <= MOST_TEXT else f"an expression of more than {MOST_TEXT} parts"
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"


def _size(values: Sequence[Expr]) -> int:
    """How many nodes the text of expressions has, shared ones each time."""
    done = fold(values, lambda n, args: 1 + sum(args))
    return sum(done[v] for v in values)


def digest(values: Sequence[Sequence[Expr]]) -> str:
    """A SHA-256 of expressions by their structure: the same in every process; alternatives in any order."""
    def one(node: Expr, args: tuple[str, ...]) -> str:
        return hashlib.sha256("\0".join((node.op, node.sort, str(node.value), node.name, *args)).encode()).hexdigest()
    done = fold([e for v in values for e in v], one)
    return hashlib.sha256("\n".join(sorted(" ".join(done[e] for e in v) for v in values)).encode()).hexdigest()


def to_json(found: Audit) -> str:
    """The audit as text."""
    return json.dumps(encode(found), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def save(found: Audit, path: Path) -> None:
    """Write the audit as JSON."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(to_json(found), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None


def exit_code(found: Audit, strict: bool) -> int:
    """That of the verdicts; with `strict`, 1 where a cell differs from one that it is compared with."""
    code = verdict_code(c.verdict for c in found.cells)
    return 1 if strict and any(a.result == "differs" for c in found.cells for a in c.against) else code
