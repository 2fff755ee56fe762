"""The solutions of tests/solutions: read, bound to a spec's tensors, run whole at small sizes; and planted faults found."""

from __future__ import annotations

from pathlib import Path

import pytest

from devsem.cli import run
from devsem.errors import UsageError
from devsem.frontend.host_load import load_plan
from devsem.frontend.spec import SpecInput
from devsem.plan import Impossible, dims_at
from devsem.plan_run import run_plan
from devsem.plan_safety import at_spec, look, numbers

FOLDER = Path(__file__).parent / "solutions"


def tensors(**shapes: tuple[int, ...]) -> tuple[SpecInput, ...]:
    """Inputs, and parameters: those with a double underscore for the dot."""
    return tuple(SpecInput(n.replace("__", "."), "parameter" if "__" in n else "input", s) for n, s in shapes.items())


GOOD: list[tuple[str, tuple[SpecInput, ...], tuple[object, ...], tuple[int, ...]]] = [
    ("linear_relu.py", tensors(x=(5, 3), linear__weight=(2, 3), linear__bias=(2,)), (3, 2), (5, 2)),
    ("softmax_rows.py", tensors(x=(3, 40)), (), (3, 40)),
    ("layer_norm.py", tensors(x=(3, 2, 5), ln__weight=(5,), ln__bias=(5,)), (5,), (3, 2, 5)),
    ("max_pool.py", tensors(x=(1, 2, 5, 6)), (3, 2, 1), (1, 2, 3, 3)),
    ("max_pool.py", tensors(x=(1, 2, 4, 6)), (2,), (1, 2, 2, 3)),
    ("row_sum.cu", tensors(x=(3, 70)), (), (3, 1)),
]


@pytest.mark.parametrize(("name", "inputs", "init", "shape"), GOOD, ids=[row[0] + str(row[2]) for row in GOOD])
def test_a_solution_runs_whole(name: str, inputs: tuple[SpecInput, ...], init: tuple[object, ...], shape: tuple[int, ...]) -> None:
    kernel = load_plan(FOLDER / name, inputs, init)
    sizes = at_spec(kernel, inputs)
    assert sizes is not None
    ran = run_plan(kernel, sizes, values=False)
    assert ran.complete, ran.fault
    assert [dims_at(s, sizes) for s in kernel.plan.shapes] == [shape]


PLANTED = [
    ("row_sum.cu", "if (threadIdx.x < h)", "if (threadIdx.x <= h)", ("race", "out of bounds", "uninitialised")),
    ("row_sum.cu", "{x.size(0), 1}", "{x.size(0), 2}", ("unwritten",)),
    ("row_sum.cu", "<<<x.size(0), 64", "<<<x.size(0) / 2 + 1, 64", ("unwritten", "out of bounds")),
    ("row_sum.cu", "<<<x.size(0), 64", "<<<x.size(0), 32", ("uninitialised",)),
    ("linear_relu.py", "if (i < size) y[i]", "if (i <= size) y[i]", ("out of bounds",)),
    ("softmax_rows.py", "shared[tid] = sum;\n    __syncthreads();", "shared[tid] = sum;", ("race",)),
    ("softmax_rows.py", "const size_t shared = threads", "const size_t shared = threads / 2", ("out of bounds",)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "old", "new", "kinds"), PLANTED)
def test_a_planted_fault_is_found(tmp_path: Path, name: str, old: str, new: str, kinds: tuple[str, ...]) -> None:
    text = (FOLDER / name).read_text()
    assert old in text
    (tmp_path / name).write_text(text.replace(old, new))
    found = look(tmp_path / name, None, {}, 10.0)
    assert any(kind in found.fault for kind in kinds), found


@pytest.mark.parametrize("name", ["row_sum.cu", "linear_relu.py", "softmax_rows.py", "max_pool.py"])
def test_nothing_is_found_in_what_is_right(name: str) -> None:
    assert look(FOLDER / name, None, {}, 1.0, 0.0).verdict == "OPEN"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["row_sum.cu", "softmax_rows.py"])
def test_the_gate_passes_a_wrapper_for_all_sizes(name: str) -> None:
    found = look(FOLDER / name, None, {}, 0.5)
    assert found.verdict == "PASS", found.why


@pytest.mark.slow
def test_a_spec_says_which_inputs_have_one_shape(tmp_path: Path) -> None:
    (tmp_path / "spec.py").write_text("import torch\nclass Model(torch.nn.Module):\n    def __init__(self, a):\n"
                                      "        super().__init__()\n        self.a = a\n"
                                      "    def forward(self, x, y):\n        return x * self.a + y\n"
                                      "def get_inputs():\n    return [torch.randn(6, 50), torch.randn(6, 50)]\ndef get_init_inputs():\n    return [0.5]\n")
    assert "out of bounds" in look(FOLDER / "scale_add.py", None, {}, 5.0).fault
    found = look(FOLDER / "scale_add.py", tmp_path / "spec.py", {}, 0.5)
    assert found.verdict == "PASS" and "y has the shape of x" in found.notes, found


def test_a_result_that_nobody_writes(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text((FOLDER / "row_sum.cu").read_text().replace("return y;", "return torch::empty_like(y);"))
    assert look(tmp_path / "k.cu", None, {}, 1.0).fault == "no kernel writes the result empty_like"


def test_a_launch_that_cuda_refuses(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text((FOLDER / "row_sum.cu").read_text().replace("x.size(0), 64, 0", "x.size(0), 2048, 0"))
    kernel = load_plan(tmp_path / "k.cu", tensors(x=(3, 70)))
    sizes = at_spec(kernel, tensors(x=(3, 70)))
    assert sizes is not None and isinstance(run_plan(kernel, sizes).fault, Impossible)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["safety", str(FOLDER / "row_sum.cu"), "--timeout", "0.5", "--gate", "0"]) == 2
    assert capsys.readouterr().out.startswith("OPEN  no launch was found that does something wrong; this is no proof")
    (tmp_path / "k.cu").write_text((FOLDER / "row_sum.cu").read_text().replace("{x.size(0), 1}", "{x.size(0), 2}"))
    assert run(["safety", str(tmp_path / "k.cu")]) == 1
    assert "no thread writes y[1]" in capsys.readouterr().out
    (tmp_path / "k.cu").write_text("int main() {}")
    assert run(["safety", str(tmp_path / "k.cu")]) == 3
    assert "the file has no __global__ function" in capsys.readouterr().err
    assert run(["safety", str(tmp_path / "none.cu")]) == 4
    assert run(["safety", str(FOLDER / "row_sum.cu"), "--bind", "n=many"]) == 4


def test_numbers() -> None:
    assert numbers("a=1, b=2.5f") == {"a": 1.0, "b": 2.5} and numbers(None) == {}
    with pytest.raises(UsageError, match="PARAMETER=NUMBER"):
        numbers("a")


def test_sizes_that_the_spec_needs_to_be_equal_are_no_counterexample() -> None:
    pair = Path(__file__).parent / "kernelbench" / "29_matmul_transposed_a"
    found = look(pair / "solution.py", pair / "problem.py", {}, 2.0, 0.0)
    assert not found.fault and any("which it may not take: " in n and "out of bounds" in n for n in found.notes)
