"""Files with their host code, from the two files to the verdict: the wrapper's own launches at the spec's sizes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from devsem.request import Request
from devsem.solutions import verify
from devsem.verdict import Verdict

KERNELS = """#include <torch/extension.h>
__global__ void scale(const float* x, float* t, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) t[i] = x[i] * 0.5f;
}
__global__ void row_sum(const float* t, float* y, int rows, int cols) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float s = 0.0f;
    for (int c = 0; c < cols; ++c) s += t[r * cols + c];
    y[r] = s;
}
torch::Tensor forward(torch::Tensor x) {
    int rows = x.size(0), cols = x.size(1);
    auto t = torch::empty_like(x);
    auto y = torch::empty({rows}, x.options());
    scale<<<(x.numel() + 31) / 32, 32>>>(x.data_ptr<float>(), t.data_ptr<float>(), x.numel());
    row_sum<<<ROW_BLOCKS, 4>>>(t.data_ptr<float>(), y.data_ptr<float>(), rows, cols);
    return y;
}
"""
SPEC = """import torch
import torch.nn as nn

class Model(nn.Module):
    def forward(self, x):
        s = torch.zeros(x.shape[0])
        for c in range(x.shape[1]):
            s = s + x[:, c] * {factor}
        return s

def get_inputs():
    return [torch.randn(6, 5)]
"""
Ask = Callable[[str, float], Verdict]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """A verdict on two chained kernels with their wrapper, of which the second has this many blocks."""
    def one(blocks: str, factor: float) -> Verdict:
        (tmp_path / "k.cu").write_text(KERNELS.replace("ROW_BLOCKS", blocks), encoding="utf-8")
        (tmp_path / "s.py").write_text(SPEC.format(factor=factor), encoding="utf-8")
        request = Request(kernel=tmp_path / "k.cu", spec=tmp_path / "s.py", devices=("ieee",), out=tmp_path / "out", timeout=4.0)
        return verify(request, lambda _: None)[0]
    return one


def test_chained_kernels_are_proved_at_the_specs_sizes(ask: Ask) -> None:
    found = ask("(rows + 3) / 4", 0.5)
    assert (found.verdict, found.safety.verdict, found.function) == ("PROVED", "PASS", "scale, row_sum"), found.reason
    assert "all 6 elements" in found.theorem and any("scale in a launch of 1 blocks of 32 threads; then row_sum" in a for a in found.assumptions)


def test_a_wrong_factor_is_refuted(ask: Ask) -> None:
    found = ask("(rows + 3) / 4", 0.25)
    assert found.verdict == "REFUTED" and found.witness is not None and len(found.witness.inputs) == 30


def test_a_wrapper_that_launches_too_few_blocks_is_unsafe(ask: Ask) -> None:
    found = ask("1", 0.5)
    assert (found.verdict, found.safety.verdict) == ("REFUTED", "FAIL") and "no thread writes y[4]" in found.reason, found.reason
