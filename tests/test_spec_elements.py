"""Kernels against specs whose tensors have several shapes, for all sizes, end to end; and what is never proved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from devsem.digits import Digits
from devsem.elements import Element
from devsem.errors import Rejected, UsageError
from devsem.expr import Expr, show, substitute, var
from devsem.frontend.spec import load_graph
from devsem.ops import B64, F32
from devsem.pipeline import verify
from devsem.polynomial import atom, number, read
from devsem.request import Request
from devsem.solutions import verify as solve
from devsem.spec_elements import SpecElements, spec_elements
from devsem.symbols import Read, Symbols
from devsem.verdict import Verdict

HERE = Path(__file__).parent / "all_sizes"
PLANE = "grid=(cols+15)/16,(rows+15)/16 block=16,16"
NAMED = "rows=x.size(0),cols=x.size(1)"
OPTIONS = {
    "bias_relu": {"launch": PLANE}, "scale_shift": {"launch": "1d"}, "transpose": {"launch": PLANE, "bind": NAMED},
    "transpose_tile": {"launch": "grid=(cols+31)/32,(rows+31)/32 block=32,32", "bind": NAMED},
    "pool": {"launch": "1d", "bind": "planes=x.size(0)*x.size(1),length=x.size(2)"}, "rowscale": {"launch": "grid=rows block=256"},
    "channel": {"bind": "total=numel(x),channels=x.size(1),plane=x.size(2)*x.size(3)"},
    "scale_stride": {"launch": "grid=(rows*cols+1023)/1024 block=256", "max_numel": 1 << 29, "spec": HERE / "scale_shift.py"}}


def verdict(folder: Path, name: str, edit: tuple[str, str] | None = None, **options: object) -> Verdict:
    """The verdict on a kernel, with one place of it changed."""
    kernel = folder / f"{name}.cu"
    text = (HERE / f"{name}.cu").read_text()
    if edit is not None:
        assert text.count(edit[0]) == 1
        text = text.replace(*edit)
    kernel.write_text(text)
    given = {"spec": HERE / f"{name.removesuffix('_tile')}.py", **OPTIONS[name], **options}
    (found,) = verify(Request(kernel=kernel, devices=("h100",), out=folder, timeout=30.0, **given), lambda _: None)     # type: ignore[arg-type]
    return found


def module(folder: Path, forward: str, inputs: str, init: str = "") -> Path:
    """A spec file."""
    path = folder / "spec.py"
    path.write_text(f"import torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n\nclass Model(nn.Module):\n    def __init__(self):\n"
                    f"        super().__init__()\n        {init or 'pass'}\n\n    def forward(self, x, w=None):\n        return {forward}\n\n\n"
                    f"def get_inputs():\n    return [{inputs}]\n")
    return path


def elements(folder: Path, forward: str, inputs: str, init: str = "") -> tuple[SpecElements, Element, Symbols]:
    path = module(folder, forward, inputs, init)
    spec, shared = spec_elements(str(path), load_graph(str(path))), Symbols()
    return spec, spec.elements(("y",), shared)[0], shared


def shown(e: Expr, shared: Symbols) -> str:
    """A value with its cells by name."""
    cells = {v: var(f"{m.buffer}[{read(m.index)}]", F32) for v, m in shared.meaning.items() if isinstance(m, Read)}
    return show(substitute(e, cells))


def test_a_counterexample_is_of_the_sizes_that_are_meant(tmp_path: Path) -> None:
    """torch.export's shapes hold from 2 on; the fault is there at 1, too, of which the verdict says nothing."""
    v = verdict(tmp_path, "transpose_tile", launch=PLANE)
    assert v.verdict == "REFUTED" and v.safety.counterexample is not None
    assert "the sizes meant are those where x.size(0) is at least 2" in v.assumptions
    assert all(int(v.safety.counterexample[f"x.size({k})"]) >= 2 for k in (0, 1))


@pytest.mark.parametrize("name", ["scale_shift", "pool"])
def test_proved_for_all_sizes(tmp_path: Path, name: str) -> None:
    v = verdict(tmp_path, name)
    assert v.verdict == "PROVED"
    assert v.safety.verdict == "PASS"
    text = Path(v.lean_file).read_text()
    assert "theorem quotient0" in text
    assert "Nat.mod_unique inside rfl" in text


def test_sizes_that_must_be_equal_are_said(tmp_path: Path) -> None:
    v = verdict(tmp_path, "bias_relu")
    assert v.verdict == "PROVED"
    assert "the sizes meant are those where bias.size(0) = x.size(1)" in v.assumptions


@pytest.mark.parametrize(("name", "old", "new"), [
    ("scale_shift", "scale[i % cols]", "scale[i % rows]"),
    ("rowscale", "w[r]", "w[c]"),
    ("transpose_tile", "= tile[threadIdx.x][threadIdx.y]", "= tile[threadIdx.y][threadIdx.x]"),
])
def test_a_near_miss_is_not_proved(tmp_path: Path, name: str, old: str, new: str) -> None:
    assert verdict(tmp_path, name, (old, new)).verdict in ("OPEN", "REFUTED")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["transpose", "transpose_tile", "rowscale", "channel", "scale_stride"])
def test_others_are_proved(tmp_path: Path, name: str) -> None:
    assert verdict(tmp_path, name).verdict == "PROVED"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "old", "new"), [
    ("scale_shift", "shift[i % cols]", "shift[i / cols]"),
    ("scale_shift", "i < rows * cols", "i < rows * rows"),
    ("bias_relu", "bias[c]", "bias[r]"),
    ("bias_relu", "c < cols", "c < rows"),
    ("bias_relu", "y[r * cols + c] =", "y[c * rows + r] ="),
    ("transpose", "y[c * rows + r]", "y[r * cols + c]"),
    ("transpose", "x[r * cols + c]", "x[c * rows + r]"),
    ("transpose", "y[c * rows + r]", "y[c * cols + r]"),
    ("transpose_tile", "__syncthreads();", ""),
    ("transpose_tile", "y[r * rows + c]", "y[c * cols + r]"),
    ("transpose_tile", "if (c < rows && r < cols)", "if (c < cols && r < rows)"),
    ("transpose_tile", "if (r < rows && c < cols)", "if (r < rows && c < cols - 1)"),
    ("transpose_tile", "c = blockIdx.y * 32 + threadIdx.x;", "c = blockIdx.y * 32 + threadIdx.y;"),
    ("pool", "+ o + k]", "+ o + k + 1]"),
    ("pool", "k < 3", "k < 2"),
    ("pool", "p * length", "p * out"),
    ("pool", "sum / 3.0f", "sum * (1.0f / 3.0f)"),
    ("pool", "i % out", "i % length"),
    ("rowscale", "int c = threadIdx.x", "int c = threadIdx.x + 1"),
    ("channel", "(i / plane) % channels", "i % channels"),
    ("channel", "i / plane", "i / channels"),
    ("scale_stride", "shift[i % cols]", "shift[(blockIdx.x * blockDim.x + threadIdx.x) % cols]"),
    ("rowscale", "* w[r]", "* w[blockIdx.x + 1 < rows ? r + 1 : r]"),
])
def test_other_near_misses_are_not_proved(tmp_path: Path, name: str, old: str, new: str) -> None:
    assert verdict(tmp_path, name, (old, new)).verdict != "PROVED"


@pytest.mark.parametrize(("forward", "inputs", "index", "value"), [
    ("x.permute(0, 2, 1) * 2", "torch.ones(2, 3, 4)", "axis.0*x.size(1)*x.size(2) + axis.1*x.size(1) + axis.2",
     "mul_rn(x[axis.0*x.size(1)*x.size(2) + axis.2*x.size(2) + axis.1], 2.0)"),
    ("x.reshape(x.shape[0], -1) - 1", "torch.ones(2, 3, 4)", "axis.0*x.size(1)*x.size(2) + axis.1", "sub_rn(x[axis.0*x.size(1)*x.size(2) + axis.1], 1.0)"),
    ("x[:, 1:] - x[:, :-1]", "torch.ones(4, 8)", "(x.size(1) - 1)*axis.0 + axis.1",
     "sub_rn(x[(x.size(1) - 1)*axis.0 + axis.0 + axis.1 + 1], x[(x.size(1) - 1)*axis.0 + axis.0 + axis.1])"),
    ("x * w.view(1, -1, 1, 1)", "torch.ones(2, 3, 4, 5), torch.ones(3)",
     "axis.0*x.size(1)*x.size(2)*x.size(3) + axis.1*x.size(2)*x.size(3) + axis.2*x.size(3) + axis.3",
     "mul_rn(x[axis.0*x.size(1)*x.size(2)*x.size(3) + axis.1*x.size(2)*x.size(3) + axis.2*x.size(3) + axis.3], w[axis.1])"),
])
def test_elements_over_dimensions(tmp_path: Path, forward: str, inputs: str, index: str, value: str) -> None:
    _, e, shared = elements(tmp_path, forward, inputs)
    assert str(e.index) == index
    assert shown(e.value, shared) == value


@pytest.mark.parametrize(("forward", "inputs", "code"), [
    ("torch.matmul(x, x.t())", "torch.ones(4, 8)", "spec.operator"), ("x.sum(1)", "torch.ones(4, 8)", "spec.operator"),
    ("F.avg_pool1d(x, 3, 2)", "torch.ones(4, 3, 9)", "spec.size"), ("F.avg_pool1d(x, 5, 1, 1)", "torch.ones(4, 3, 9)", "spec.operator"),
    ("torch.cat((x, x), 1)", "torch.ones(4, 8)", "spec.operator"),
])
def test_what_has_no_one_value_is_refused(tmp_path: Path, forward: str, inputs: str, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        elements(tmp_path, forward, inputs)
    assert {r.code for r in caught.value.rejections} == {code}


@pytest.mark.parametrize("forward", ["x.t() / x.shape[1]", "x.t() * (x.shape[0] + 1)", "F.avg_pool1d(x, x.shape[1] // 2, 1)", "x.t() if x.shape[0] < 9 else x"])
def test_a_spec_that_computes_with_its_sizes_is_refused(tmp_path: Path, forward: str) -> None:
    with pytest.raises(Rejected) as caught:
        elements(tmp_path, forward, "torch.ones(8, 24)")
    assert {r.code for r in caught.value.rejections} == {"spec.size"}


def test_a_size_of_1_is_meant_only_where_nothing_is_squeezed(tmp_path: Path) -> None:
    """(8, 1).squeeze() + (8, 1) has 8 * 8 elements."""
    for forward, least in (("x.squeeze().t() + x.t()", 2), ("x * w.unsqueeze(1)", 1)):
        spec, _, _ = elements(tmp_path, forward, "torch.ones(8, 24)" + ", torch.ones(8)" * ("w" in forward))
        assert set(spec.sizes.least.values()) == {least}


def test_sizes_of_1_are_not_meant_where_sizes_are_looked_at(tmp_path: Path) -> None:
    """(1, 25) is none of the shapes that are tried: (8, 24), (1, 24), (8, 1), (1, 1)."""
    spec, _, _ = elements(tmp_path, "x + x[:, 0].unsqueeze(1) * (2 if x.size(0) == 1 and x.size(1) > 24 else 1)", "torch.ones(8, 24)")
    assert set(spec.sizes.least.values()) == {2}


def test_a_size_that_is_looked_at_is_one_number(tmp_path: Path) -> None:
    spec, e, _ = elements(tmp_path, "x.t() if x.shape[0] == 8 else x.t() * 2", "torch.ones(8, 24)")
    assert str(e.index) == "8*axis.0 + axis.1"
    assert "the sizes meant are those where x.size(0) is 8" in spec.assumptions


def test_a_parameter_is_not_taken_for_a_size_that_the_launch_names(tmp_path: Path) -> None:
    """A parameter `size0` is the kernel's own, beside x.size(1)."""
    kernel = tmp_path / "k.cu"
    kernel.write_text('extern "C" __global__ void k(const float* x, float* y, int size0, int cols) { int c = blockIdx.x * 16 + threadIdx.x, '
                      "r = blockIdx.y * 16 + threadIdx.y; if (r < size0 && c < cols) y[r * cols + c] = x[r * cols + c] + x[r * cols]; }")
    spec = module(tmp_path, "x + x[:, 0].unsqueeze(1)", "torch.ones(4, 16)")
    (found,) = verify(Request(kernel=kernel, spec=spec, devices=("h100",), out=tmp_path, timeout=30.0,
                              launch="grid=(x.size(1)+15)/16,(size0+15)/16 block=16,16", bind="size0=x.size(0),cols=x.size(1)"), lambda _: None)
    assert found.verdict == "PROVED"


def test_an_integer_without_a_meaning_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--bind rows=SIZE, over x"):
        verdict(tmp_path, "transpose", bind=None)


def test_digits_need_the_bound_of_the_last_coordinate() -> None:
    r, c, n, m = (var(x, B64) for x in "rcnm")
    i = atom(r) * atom(n) + atom(c)
    assert Digits({r: atom(m), c: atom(m)}, frozenset({n, m})).split(i, atom(n)) is None
    assert Digits({r: atom(m), c: atom(n) + number(1)}, frozenset({n, m})).split(i, atom(n)) is None
    assert Digits({c: atom(n)}, frozenset({n, m})).split(i, atom(n)) is None
    found = Digits({r: atom(m), c: atom(n)}, frozenset({n, m})).split(i, atom(n))
    assert found is not None
    assert (found.quotient, found.remainder) == (atom(r), atom(c))


@pytest.mark.slow
def test_a_solution_with_its_own_launch(tmp_path: Path) -> None:
    """Its bias has one size, and with it the columns; the rows are any."""
    request = Request(kernel=HERE.parent / "solutions" / "bias_relu.py", spec=HERE / "bias_relu.py", devices=("h100",), out=tmp_path, timeout=30.0)
    (v,) = solve(request, lambda _: None)
    assert (v.verdict, v.way) == ("PROVED", "all-sizes")
    assert "the sizes meant are those where x.size(1) is 24" in v.assumptions
    wrong = tmp_path / "wrong.py"
    wrong.write_text(request.kernel.read_text().replace("+ bias[c]", "+ bias[r % cols]"))
    (v,) = solve(replace(request, kernel=wrong), lambda _: None)
    assert v.verdict != "PROVED"
