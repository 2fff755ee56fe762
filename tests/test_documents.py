"""What the documents quote is what devsem says: README's lines of `make demo`, and docs/KERNELS.md's table of refusals."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from devsem import rejections
from devsem.cli import run
from devsem.verdict import load

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
import documents

EXAMPLES = documents.ROOT / "examples"


def test_every_refusal_stands_in_the_document() -> None:
    written = documents.block(documents.KERNELS.read_text(encoding="utf-8"), "refusals")
    assert written == documents.refusals(), "python bench/documents.py writes the table"
    assert {code for code in rejections.TABLE if f"\n| `{code}` | " in written} == set(rejections.TABLE)


@pytest.mark.slow
def test_readme_shows_what_the_demo_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    assert run(["verify", "--out", str(tmp_path)]) == 1
    shown = documents.block(documents.README.read_text(encoding="utf-8"), "rows").splitlines()
    assert documents.without_seconds(shown[1:-1]) == documents.demo(load(tmp_path / "verdict.json")), "python bench/documents.py VERDICT.json writes them"
