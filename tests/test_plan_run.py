"""Plans run whole: wrapper, launches one after the other, results; against values worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from devsem.expr import mk, var
from devsem.frontend.capture_process import answer
from devsem.frontend.host_load import init_of, load_plan, tensors_of
from devsem.frontend.spec import graph_in
from devsem.ops import F32
from devsem.plan import Impossible, size_of
from devsem.plan_run import run_plan

TWO = """#include <torch/extension.h>
__global__ void twice(const float* x, float* h, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) h[i] = x[i] + x[i]; }
__global__ void square(const float* h, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = h[i] * h[i]; }
torch::Tensor f(torch::Tensor x) {
  auto h = torch::empty_like(x), y = torch::empty_like(x);
  int n = x.numel();
  twice<<<(n + 3) / 4, 4>>>(x.data_ptr<float>(), h.data_ptr<float>(), n);
  square<<<(N + 3) / 4, 4>>>(h.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""


def kernel(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "k.cu"
    path.write_text(text)
    return path


def test_one_launch_reads_what_another_wrote(tmp_path: Path) -> None:
    ran = run_plan(load_plan(kernel(tmp_path, TWO.replace("N", "n"))), {size_of("x", 0): 5})
    assert ran.fault is None and ran.complete and len(ran.results) == 1
    x = [var(f"x[{i}]", F32) for i in range(5)]
    held = [e for e in ran.results[0] if e is not None]
    assert [set(_leaves(e)) for e in held] == [{v} for v in x] and held[0].op == "w_mul"
    assert mk("w_add", x[0], x[0]) in _nodes(held[0])


def test_a_launch_that_covers_too_little_is_found(tmp_path: Path) -> None:
    ran = run_plan(load_plan(kernel(tmp_path, TWO.replace("(N + 3)", "n"))), {size_of("x", 0): 5})
    assert ran.fault is not None and not isinstance(ran.fault, Impossible) and ran.fault.kind == "unwritten"


def test_an_intermediate_that_is_read_before_it_is_written_is_found(tmp_path: Path) -> None:
    text = TWO.replace("twice<<<(n + 3)", "twice<<<(n + 2 - 2)").replace("N", "n")
    ran = run_plan(load_plan(kernel(tmp_path, text)), {size_of("x", 0): 5})
    assert ran.fault is not None and not isinstance(ran.fault, Impossible) and ran.fault.kind == "uninitialised"


def test_an_empty_grid_is_no_launch(tmp_path: Path) -> None:
    ran = run_plan(load_plan(kernel(tmp_path, TWO.replace("N", "n"))), {size_of("x", 0): 0})
    assert isinstance(ran.fault, Impossible) and "grid of 0" in ran.fault.why


@pytest.mark.slow
def test_get_init_inputs_are_captured(tmp_path: Path) -> None:
    path = tmp_path / "spec.py"
    path.write_text("import torch\nclass Model(torch.nn.Module):\n    def __init__(self, a, b, c):\n        super().__init__()\n"
                    "        self.l = torch.nn.Linear(a, 2)\n"
                    "    def forward(self, x):\n        return self.l(x)\ndef get_inputs():\n    return [torch.randn(5, 3)]\n"
                    "def get_init_inputs():\n    return [3, 0.1, [1, 2]]\n")
    graph = graph_in(str(path), answer(str(path), "Model", 120))
    assert init_of(graph) == (3, 0.1, [1, 2])
    assert [(i.name, i.kind, i.shape) for i in tensors_of(graph)] == [("l.weight", "parameter", (2, 3)), ("l.bias", "parameter", (2,)), ("x", "input", (5, 3))]


def _nodes(e: object) -> list[object]:
    from devsem.expr import Expr, topo
    assert isinstance(e, Expr)
    return list(topo(e))


def _leaves(e: object) -> list[object]:
    from devsem.expr import Expr, variables
    assert isinstance(e, Expr)
    return list(variables(e))
