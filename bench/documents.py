"""Writes what the documents quote: `python bench/documents.py` the refusals, with `make demo`'s devsem-out/verdict.json as argument README's lines, too.

tests/test_documents.py holds the documents to it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from devsem import rejections, report
from devsem.verdict import Document, Verdict, load

ROOT = Path(__file__).resolve().parents[1]
README, KERNELS = ROOT / "README.md", ROOT / "docs" / "KERNELS.md"
GROUPS = (
    ("The CUDA text", rejections.CUDA), ("Its host code", rejections.HOST), ("A solution", rejections.SOLUTION), ("A launch that is run", rejections.RUN),
    ("Where only a pointwise kernel is accepted", rejections.PLAIN), ("The compiler", rejections.NVRTC), ("PTX", {**rejections.PTX, **rejections.PTX_RUN}))


def block(text: str, name: str) -> str:
    """What stands between the marks of that name."""
    found = re.search(rf"<!-- {re.escape(name)}: begin -->\n(.*?)<!-- {re.escape(name)}: end -->", text, re.DOTALL)
    if found is None:
        raise ValueError(f"no marks of {name!r}")
    return found[1]


def refusals() -> str:
    """Every row of rejections.py as tables."""
    return "\n".join(_tables())


def _tables() -> Iterator[str]:
    for title, rows in GROUPS:
        yield from (f"{title}:", "", "| code | what is refused | what to do |", "|---|---|---|")
        yield from (f"| `{code}` | {_cell(message)} | {_cell(hint)} |" for code, (message, hint) in rows.items())
        yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def demo(document: Document) -> list[str]:
    """The tables of `devsem verify`, a line for each row, its columns set apart by bars; without seconds."""
    lines = []
    for (kernel, function, _), rows in groupby(document.verdicts, lambda v: (v.kernel, v.function, v.flags)):
        lines += [f"{kernel} ({function})", *(row(v) for v in rows), ""]
    return lines[:-1]


def row(v: Verdict) -> str:
    """One row, without seconds."""
    return " | ".join((v.device, v.flags or "-", report.reading(v), v.verdict, report.finding(v) or "-", report.obligations(v)))


def without_seconds(lines: list[str]) -> list[str]:
    """The lines of README, their last column cut off."""
    return [re.sub(r" \| \d+\.\d\d$", "", line) for line in lines]


def _write(path: Path, name: str, inside: str) -> None:
    text = path.read_text(encoding="utf-8")
    begin = f"<!-- {name}: begin -->\n"
    path.write_text(text.replace(begin + block(text, name), begin + inside), encoding="utf-8")


def main() -> None:
    """Write the blocks."""
    _write(KERNELS, "refusals", refusals())
    for path in sys.argv[1:]:
        document = load(Path(path))
        seconds = iter(f" | {v.seconds['total']:.2f}" for v in document.verdicts)
        lines = [line + next(seconds) if " | " in line else line for line in demo(document)]
        _write(README, "rows", "\n".join(["```text", *lines, "```", ""]))


if __name__ == "__main__":
    main()
