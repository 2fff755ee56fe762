"""Ask the pinned Lean about lines over FloatLib. Nothing here is ever skipped: without Lean, the tests that ask fail."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem import leanlib, leantext
from devsem.leancheck import Diagnostic, Lean, build_library
from devsem.leanrun import diagnostics, run
from devsem.ops import BOOL, F32, Op

OPTIONS = ("set_option exponentiation.threshold 600", "set_option maxRecDepth 10000", "set_option pp.notation false",
           "set_option pp.fieldNotation false", "set_option pp.proofs true", "set_option format.width 100000", "noncomputable section")
LAST = "theorem all_was_read : True := True.intro", "#print axioms all_was_read"
CHUNK, BASE = 20, 1 << 64  # evaluations in one theorem; their results are the digits of one number, to this base


@cache
def lean_and_library() -> tuple[Lean, Path]:
    """The Lean of these tests, and FloatLib as it compiled it."""
    lean = Lean.choose()
    return lean, build_library(lean)


def answers(lines: Sequence[str], *, modules: Sequence[str] = ("FloatLib.Pool",), before: str = "", seconds: float = 500) -> list[list[Diagnostic]]:
    """What Lean says about each line, after `before`. Raises if it does not read to the end, or says anything about another line."""
    assert not any("\n" in line for line in lines)
    lean, library = lean_and_library()
    head = ["prelude", *(f"import {module}" for module in modules), *OPTIONS, *before.splitlines()]
    with tempfile.TemporaryDirectory(prefix="devsem-") as folder:
        (Path(folder) / "T.lean").write_text("\n".join([*head, *lines, *LAST]) + "\n", encoding="utf-8")
        options = ("--json", "-Dlinter.all=false", "-DmaxErrors=1000000")
        ran = run(lean, [*options, "T.lean"], folder=Path(folder), search=[library], timeout=seconds, memory_mb=6000)
    said: list[list[Diagnostic]] = [[] for _ in lines]
    others: list[Diagnostic] = []
    for d in diagnostics(ran):
        at = d.line - len(head) - 1
        (said[at] if 0 <= at < len(lines) else others).append(d)
    assert not ran.failure, ran.failure
    assert [d.message for d in others] == ["'all_was_read' does not depend on any axioms"], others
    assert (ran.exit_code == 0) == (not any(d.severity == "error" for row in said for d in row)), ran
    return said


def refusals(lines: Sequence[str], *, modules: Sequence[str] = ("FloatLib.Pool",), before: str = "", seconds: float = 500) -> dict[int, str]:
    """The lines, by index, that Lean does not accept without an error and without a warning, and its first words on each."""
    said = answers(lines, modules=modules, before=before, seconds=seconds)
    return {i: bad[0].message for i, row in enumerate(said) if (bad := [d for d in row if d.severity != "information"])}


@cache
def theorems() -> dict[str, str]:
    """Every theorem of FloatLib by its full name, and the module it is in."""
    root = leanlib.sources()
    found: dict[str, str] = {}
    for module, path in leanlib.modules(root).items():
        text = leanlib.text(root / path)
        names = leantext.full_names(text) - leantext.full_names(text.replace("theorem ", "not_a_theorem "))
        assert len(names) == sum(t.text == "theorem" for t in leantext.tokens(text)), module
        found |= dict.fromkeys(names, module)
    return found


# --- evaluations by Lean's kernel, many in one theorem ---


def _digit(op: Op, value: str) -> str:
    """An operation's result as a number below the base: the pattern, the word, 0 or 1."""
    return f"(Fp.toBits {value})" if op.out == F32 else f"(cond {value} 1 0)" if op.out == BOOL else value


def evaluator(op: Op) -> str:
    """The definition of `NAME t a0 a1`: the number `t` with one more digit, the operation's result on `a0 a1`."""
    binders = " ".join(f"(a{i} : {'Bool' if s == BOOL else 'Nat'})" for i, s in enumerate(op.args))
    args = " ".join(f"(F32.ofBits a{i})" if s == F32 else f"a{i}" for i, s in enumerate(op.args))
    return f"def eval_{op.name} (t : Nat) {binders} : Nat := Nat.add (Nat.mul t {BASE}) {_digit(op, f'({op.lean} {args})')}"


def evaluation(op: Op, rows: Sequence[Sequence[int]], results: Sequence[int]) -> str:
    """An `example`: the operation on each row of arguments has these results, to the bit."""
    term, number = "0", 0
    for row, result in zip(rows, results, strict=True):
        args = " ".join(("false", "true")[a] if s == BOOL else str(a) for a, s in zip(row, op.args, strict=True))
        term, number = f"(eval_{op.name} {term} {args})", number * BASE + result
    return f"example : Eq {term} {number} := rfl"


def evaluations(op: Op, columns: Sequence[npt.NDArray[Any]]) -> Iterator[tuple[str, list[list[int]], list[int]]]:
    """The Python side's values of an operation on arrays, in chunks: the `example` for Lean, its rows of arguments, its results."""
    assert op.eval is not None
    values = np.asarray(op.eval(*columns))
    for start in range(0, len(values), CHUNK):
        rows = [[int(x) for x in row] for row in zip(*(c[start:start + CHUNK] for c in columns), strict=True)]
        results = [int(x) for x in values[start:start + CHUNK]]
        yield evaluation(op, rows, results), rows, results


def disagreements(op: Op, columns: Sequence[npt.NDArray[Any]]) -> list[str]:
    """What Lean's kernel evaluates otherwise than Python; also tries one wrong result, which Lean must refuse."""
    chunks = list(evaluations(op, columns))
    _, rows, results = chunks[-1]
    wrong = evaluation(op, rows, [*results[:-1], results[-1] ^ 1])
    refused = refusals([*(text for text, _, _ in chunks), wrong], before=evaluator(op))
    assert refused.pop(len(chunks), ""), f"{op.name}: Lean accepts a wrong result"
    return [f"{op.name} on one of {chunks[i][1]}: {message}" for i, message in refused.items()]

