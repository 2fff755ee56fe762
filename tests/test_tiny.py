"""Read and run this first: four kernels from text to verdict, one of each kind; under 10 s."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from devsem.frontend.spec import Spec, load_spec
from devsem.pipeline import verify
from devsem.request import Request
from devsem.verdict import Verdict, exit_code

Decide = Callable[..., Verdict]
SPEC = """
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x)


def get_inputs():
    return [torch.randn(64)]
"""
KERNEL = """
extern "C" __global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        BODY
    }
}
"""


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Spec]:
    """torch.relu, captured once for this file."""
    path = tmp_path_factory.mktemp("tiny") / "spec.py"
    path.write_text(SPEC, encoding="utf-8")
    return path, load_spec(str(path))


@pytest.fixture
def decide(spec: tuple[Path, Spec], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Decide:
    """The verdict on h100 of a kernel with this body."""
    monkeypatch.setattr("devsem.pipeline.load_spec", lambda path, timeout: spec[1])

    def of(body: str, guard: str = "if (i < n)") -> Verdict:
        kernel = tmp_path / "relu.cu"
        kernel.write_text(KERNEL.replace("BODY", body).replace("if (i < n)", guard), encoding="utf-8")
        return verify(Request(kernel=kernel, spec=spec[0], devices=("h100",), out=tmp_path), lambda text: None)[0]
    return of


def test_proved(decide: Decide) -> None:
    """x < 0 alone gives 0: a NaN and -0 pass, as in PyTorch."""
    v = decide("float v = x[i]; y[i] = v < 0.0f ? 0.0f : v;")
    assert v.verdict == "PROVED" and "every i < n" in v.theorem and not v.obligations
    assert exit_code([v]) == 0 and Path(v.lean_file).read_text(encoding="utf-8").startswith("prelude\n")


def test_refuted(decide: Decide) -> None:
    """fmaxf prefers the number: 0 where PyTorch has NaN."""
    v = decide("y[i] = fmaxf(x[i], 0.0f);")
    assert v.verdict == "REFUTED" and v.witness is not None and exit_code([v]) == 1
    assert (v.witness.inputs, v.witness.kernel, v.witness.spec) == ({"x": "0x7fc00000"}, "0x00000000", "0x7fffffff")


def test_unsafe(decide: Decide) -> None:
    """i <= n writes one element too many, whatever the values."""
    v = decide("float v = x[i]; y[i] = v < 0.0f ? 0.0f : v;", guard="if (i <= n)")
    assert v.safety.verdict == "FAIL" and exit_code([v]) == 1
    found = v.safety.counterexample
    assert found is not None and found["index"] == found["n"] and v.witness is None


def test_rejected(decide: Decide) -> None:
    """An atomic operation is refused by name and place."""
    v = decide("atomicAdd(&y[i], x[i]);")
    assert v.verdict == "REJECTED" and exit_code([v]) == 3
    assert [(r.code, r.where.line) for r in v.rejections] == [("cuda.atomic", 5)]
