"""`devsem coverage`: what is counted, and that no file can end or hold up the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from devsem import coverage
from devsem.cli import run
from devsem.coverage import Coverage, Read, Refusal, kernels_in, read_apart

GOOD = "__global__ void k(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }\n"
WRAPPED = f"""#include <torch/extension.h>
{GOOD}torch::Tensor f(torch::Tensor x) {{ auto y = torch::empty_like(x); int n = x.numel();
  k<<<(n + 31) / 32, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), n); return y; }}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("a.cu", GOOD), ("b.cu", WRAPPED), ("c.cu", GOOD.replace("y[i] = x[i]", "asm(\"\")")), ("d.cu", WRAPPED.replace("x.numel()", "x.nnz()")),
                       ("spec.py", "class Model: pass"), ("e.py", "import torch\nclass ModelNew: pass"), ("f.cu", "int main() { return 0; }")):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_folder(folder: Path) -> None:
    assert run(["coverage", str(folder), "--json", str(folder / "out.json")]) == 0
    found = json.loads((folder / "out.json").read_text())
    states = {Path(f["path"]).name: (f["state"], f["launches"], f["kernels"], [r["code"] for r in f["refusals"]]) for f in found["each"]}
    assert states == {"a.cu": ("accepted", 0, 1, []), "b.cu": ("accepted", 1, 0, []), "c.cu": ("refused", 0, 1, ["cuda.asm"]),
                      "d.cu": ("refused", 0, 0, ["host.syntax"]), "e.py": ("refused", 0, 0, ["solution.statement"]), "f.cu": ("refused", 0, 0, ["cuda.empty"])}
    assert (found["files"], found["accepted"], found["rate"]) == (6, 2, 0.3333)
    assert [(c["code"], c["files"]) for c in found["constructs"]] == [("cuda.asm", 1), ("cuda.empty", 1), ("host.syntax", 1), ("solution.statement", 1)]


def test_constructs_are_counted_by_file() -> None:
    one, two = Refusal("a", "f:1:1", "x"), Refusal("b", "g:1:1", "y")
    found = Coverage((Read("f", "refused", refusals=(one, two)), Read("g", "refused", refusals=(two,)), Read("h", "accepted")))
    assert found.constructs() == [("b", 2, "g:1:1: y"), ("a", 1, "f:1:1: x")] and found.rate == pytest.approx(1 / 3)


def test_a_crash_and_a_hang_are_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_apart(folder / "a.cu", 0.001).state == "too long"
    missing = read_apart(folder / "missing.cu", 60)
    assert missing.state == "crashed" and "FileNotFoundError" in missing.refusals[0].message
    monkeypatch.setattr(coverage, "read_apart", lambda path, seconds: Read(str(path), "crashed"))
    assert [f.state for f in coverage.cover(kernels_in(folder)).files] == ["crashed"] * 6


def test_no_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["coverage", "/nowhere/at/all"]) == 4
    assert capsys.readouterr().err == "devsem: there is no folder /nowhere/at/all\n"
