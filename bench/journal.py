"""The answers of a run, one line of JSON for each finished chunk, so that a run that was stopped goes on where it was.

The first line says what the run is: its settings, and a digest of the sources, because a pair's number means another pair once a lemma is added.
A last line that was cut off in the middle is dropped: its chunk is decided again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path

from tally import Answer

ROOT = Path(__file__).resolve().parents[1]


class Refused(Exception):
    """The file is no journal of this run."""


def sources() -> str:
    """A digest of everything that an answer depends on."""
    files = [p for folder in ("devsem", "bench", "lean") for p in sorted((ROOT / folder).rglob("*")) if p.suffix in (".py", ".lean")]
    return hashlib.sha256(b"".join(p.relative_to(ROOT).as_posix().encode() + b"\0" + p.read_bytes() for p in files)).hexdigest()


def _answer(row: Sequence[object]) -> Answer:
    fields = [tuple(x) if isinstance(x, list) else x for x in row]
    return Answer(*fields)  # type: ignore[arg-type]


class Journal:
    """`chunks` are the answers by the number of a chunk's first pair; `accepted` are the pairs whose theorems Lean has accepted."""

    def __init__(self, file: Path | None, run: Mapping[str, object]) -> None:
        self.chunks: dict[int, list[Answer]] = {}
        self.accepted: set[int] = set()
        self._file = file
        text = file.read_text(encoding="utf-8") if file and file.exists() else ""
        whole, _, _ = text.rpartition("\n")
        lines = [json.loads(line) for line in whole.splitlines()]
        if lines and lines[0] != dict(run):
            differs = ", ".join(k for k in run if lines[0].get(k) != run[k])
            raise Refused(f"{file} is of another run ({differs}): give another file")
        for line in lines[1:]:
            self.accepted.update(line.get("accepted", ()))
            if "answers" in line:
                self.chunks[line["first"]] = [_answer(row) for row in line["answers"]]
        if file and text != whole + "\n":
            file.write_text(whole + "\n" if whole else "", encoding="utf-8")
        if file and not lines:
            self._write(dict(run))

    def _write(self, line: object) -> None:
        if self._file:
            with self._file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(line) + "\n")

    def decided(self, answers: Sequence[Answer]) -> None:
        """A chunk is finished."""
        self.chunks[answers[0].number] = list(answers)
        self._write({"first": answers[0].number, "answers": [astuple(a) for a in answers]})

    def lean_accepts(self, numbers: Iterable[int]) -> None:
        """Lean has accepted these pairs' theorems."""
        kept = list(numbers)
        self.accepted.update(kept)
        self._write({"accepted": kept})
