"""Specs from PyTorch modules: what is captured, how it is translated, and one clear sentence for everything that is refused.

The specs are captured in this process, which is the child's code without a child; `test_capture_process.py` starts children.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
import torch

from devsem.errors import Rejected, UsageError
from devsem.expr import Expr, fold, show
from devsem.frontend import capture
from devsem.frontend.spec import Spec, SpecInput, graph_in, translate
from devsem.ops import OPS

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n"


def write(folder: Path, body: str, *, inputs: str = "[torch.randn(8)]", more: str = "", init: str = "") -> Path:
    """A spec whose forward is `body`, on line 8 and after; `init` goes into the constructor."""
    lines = [*HEAD.splitlines(), "class Model(nn.Module):", "    def __init__(self):", f"        super().__init__(); {init}".rstrip("; ")]
    lines += textwrap.indent(textwrap.dedent(body), "    ").splitlines()
    path = folder / "spec.py"
    path.write_text("\n".join([*lines, "", "def get_inputs():", f"    return {inputs}", more, ""]), encoding="utf-8")
    return path


def captured(path: Path, class_name: str = "Model") -> Spec:
    """load_spec without the child process."""
    result = path.with_suffix(".json")
    capture.main(str(path), class_name, str(result))
    return translate(str(path), graph_in(str(path), json.loads(result.read_text(encoding="utf-8"))))


def spec(folder: Path, body: str, *, inputs: str = "[torch.randn(8)]", more: str = "", init: str = "") -> Spec:
    """The spec of a module given by its forward."""
    return captured(write(folder, body, inputs=inputs, more=more, init=init))


def codes(folder: Path, body: str, *, inputs: str = "[torch.randn(8)]", init: str = "") -> list[tuple[str, int]]:
    """The codes and lines of the rejections."""
    with pytest.raises(Rejected) as caught:
        spec(folder, body, inputs=inputs, init=init)
    return [(r.code, r.where.line) for r in caught.value.rejections]


# --- translation

ONE_INPUT = [
    ("return torch.relu(x)", "select(lt(x, 0.0), 0.0, x)"),
    ("return F.leaky_relu(x, 0.01)", "select(lt(0.0, x), x, mul_rn(x, 0.01))"),
    ("return x / 3.0", "div_rn(x, 3.0)"),
    ("return 1 - x", "sub_rn(1.0, x)"),
    ("return x * 0.1 + 2", "add_rn(mul_rn(x, 0.1), 2.0)"),
    ("return F.silu(x)", "div_rn(x, add_rn(1.0, S.expf(neg(x))))"),
    ("return F.softsign(x)", "div_rn(x, add_rn(abs(x), 1.0))"),
    ("return F.tanhshrink(x)", "sub_rn(x, S.tanhf(x))"),
    ("return x * (x > 0)", "mul_rn(x, select(lt(0.0, x), 1.0, 0.0))"),
    ("return (x > 0).float() * x", "mul_rn(select(lt(0.0, x), 1.0, 0.0), x)"),
    ("return torch.where((x > 0) & ~torch.isnan(x), x, 0.0)", "select(and(lt(0.0, x), not(is_nan(x))), x, 0.0)"),
    ("return torch.where(x != 0, 1.0, torch.zeros_like(x))", "select(not(eq(x, 0.0)), 1.0, 0.0)"),
    ("return F.dropout(x, 0.5, self.training)", "x"),
    ("return x.contiguous().view(-1).reshape(-1).clone().detach().to(torch.float32)", "x"),
    ("return torch.pow(x, torch.full_like(x, 3.0))", "S.powf(x, 3.0)"),
    ("return x ** 2 + x ** 0.5", "add_rn(mul_rn(x, x), sqrt_rn(x))"),
    ("return torch.add(x, x, alpha=0.5)", "add_rn(x, mul_rn(0.5, x))"),
    ("return x + torch.tensor(0.25)", "add_rn(x, 0.25)"),
    ("return torch.clip(x, 0, 1)", "select(lt(1.0, select(lt(x, 0.0), 0.0, x)), 1.0, select(lt(x, 0.0), 0.0, x))"),
    ("return torch.special.expm1(x)", "S.expm1f(x)"),
    ("return torch.maximum(x, -x)", "max_nan(x, neg(x))"),
    ("with torch.no_grad():\n        return torch.square(x)", "mul_rn(x, x)"),
    ("return torch.relu(x.view(1, -1)).flatten().unsqueeze(0)", "select(lt(x, 0.0), 0.0, x)"),
    ("return nn.Sequential(nn.Identity(), nn.Hardtanh())(x)", "select(lt(1.0, select(lt(x, -1.0), -1.0, x)), 1.0, select(lt(x, -1.0), -1.0, x))"),
]


@pytest.mark.parametrize(("line", "expected"), ONE_INPUT)
def test_translates(tmp_path: Path, line: str, expected: str) -> None:
    got = spec(tmp_path, f"def forward(self, x):\n    {line}\n")
    assert [show(o) for o in got.outputs] == [expected]
    assert got.inputs == (SpecInput("x", "input", (8,)),)


def test_several_inputs_and_outputs(tmp_path: Path) -> None:
    got = spec(tmp_path, "def forward(self, a, b):\n    return a - b, b\n", inputs="[torch.randn(2, 3), torch.randn(2, 3)]")
    assert [(i.name, i.shape) for i in got.inputs] == [("a", (2, 3)), ("b", (2, 3))]
    assert [show(o) for o in got.outputs] == ["sub_rn(a, b)", "b"]


def test_parameters_buffers_and_constants(tmp_path: Path) -> None:
    init = "self.w = nn.Parameter(torch.ones(8)); self.unused = nn.Parameter(torch.ones(3)); "
    init += "self.register_buffer('b', torch.zeros(8)); self.half = torch.tensor(0.5)"
    got = spec(tmp_path, "def forward(self, x):\n    return x * self.w + self.b * self.half\n", init=init)
    assert [(i.name, i.kind) for i in got.inputs] == [("w", "parameter"), ("b", "parameter"), ("x", "input")]
    assert show(got.outputs[0]) == "add_rn(mul_rn(x, w), mul_rn(b, 0.5))"


def test_a_number_among_the_inputs_is_fixed_and_said(tmp_path: Path) -> None:
    got = spec(tmp_path, "def forward(self, x, k):\n    return x * k\n", inputs="[torch.randn(8), 2.5]")
    assert show(got.outputs[0]) == "mul_rn(x, 2.5)"
    assert "the argument k is the constant 2.5, as get_inputs() gives it" in got.assumptions


def test_assumptions_are_named_once_and_only_where_made(tmp_path: Path) -> None:
    free = "def forward(self, x):\n    return (x + torch.ones_like(x)).view(-1).reshape(x.shape)\n"
    assert spec(tmp_path, free, inputs="[torch.randn(4, 2)]").assumptions == ()
    assert spec(tmp_path, "def forward(self, a, b):\n    return a + b\n", inputs="[torch.randn(5), torch.randn(5)]").assumptions == ()
    (said,) = spec(tmp_path, "def forward(self, x):\n    return torch.relu(torch.relu(x) - 1)\n").assumptions
    assert said.startswith("relu of -0")


@pytest.mark.parametrize("line", ["return x / x.numel()", "return torch.relu(x) if x.shape[0] > 4 else -x",
                                  "return x + torch.zeros(8)", "return x * x.shape[0]", "return x * 2.0 if x.numel() == 8 else x * 3.0",
                                  "return x if x.shape[0] % 2 == 0 else -x", "return -x if x.shape[0] == 1 else x",
                                  "return x + self.w if x.numel() == 8 else x", "return x * self.w / self.w.numel()"])
def test_dependence_on_the_size_is_refused(tmp_path: Path, line: str) -> None:
    assert codes(tmp_path, f"def forward(self, x):\n    {line}\n", init="self.w = nn.Parameter(torch.zeros(8))") == [("spec.size", 0)]


@pytest.mark.parametrize("line", ["return -x if x.size(0) == 1 and x.size(1) > 1 else x", "return -x if x.shape == (3, 1) else x", "return x.squeeze() + x"])
def test_dependence_on_some_sizes_of_1_is_refused(tmp_path: Path, line: str) -> None:
    assert codes(tmp_path, f"def forward(self, x):\n    {line}\n", inputs="[torch.randn(4, 8)]") == [("spec.size", 0)]


@pytest.mark.parametrize("line", ["return x if x.shape[0] == x.shape[1] else -x", "return x if x.shape == (8, 8) else -x"])
def test_dependence_on_a_square_is_refused(tmp_path: Path, line: str) -> None:
    assert codes(tmp_path, f"def forward(self, x):\n    {line}\n", inputs="[torch.randn(8, 8)]") == [("spec.size", 0)]


@pytest.mark.parametrize("line", ["return x + self.w", "return torch.relu(x * self.w) - self.b"])
def test_a_size_that_parameters_fix_is_said(tmp_path: Path, line: str) -> None:
    init = "self.w = nn.Parameter(torch.zeros(8)); self.register_buffer('b', torch.ones(8))"
    said = spec(tmp_path, f"def forward(self, x):\n    {line}\n", init=init).assumptions
    assert any("captured at shape (8)" in text for text in said)


def test_parameters_of_a_submodule_fix_the_size(tmp_path: Path) -> None:
    more = "class Scale(nn.Module):\n    def __init__(self):\n        super().__init__(); self.w = nn.Parameter(torch.ones(2, 4))\n"
    got = spec(tmp_path, "def forward(self, x):\n    return x * self.a.w\n", inputs="[torch.randn(2, 4)]", init="self.a = Scale()", more=more)
    assert [i.name for i in got.inputs] == ["a.w", "x"] and "captured at shape (2, 4)" in got.assumptions[0]


@pytest.mark.parametrize("inputs", ["torch.tensor(1.0)", "torch.randn(1)", "torch.randn(1, 8)", "torch.randn(2)", "torch.randn(1, 1, 3)", "torch.randn(8, 8)"])
def test_an_ordinary_spec_is_size_free_at_every_shape(tmp_path: Path, inputs: str) -> None:
    got = spec(tmp_path, "def forward(self, x, y):\n    return x * 2 + y.contiguous()\n", inputs=f"[{inputs}, {inputs}]")
    assert got.assumptions == ()


@pytest.mark.parametrize("line", ["self.calls += 1\n    return x * self.calls", "import random\n    return x * random.random()",
                                  "import random\n    return x + torch.tensor(float(random.randrange(1 << 20)))",
                                  "self.calls += 1\n    return x if self.calls < 3 else -x"])
def test_state_and_random_numbers_are_refused(tmp_path: Path, line: str) -> None:
    assert codes(tmp_path, f"def forward(self, x):\n    {line}\n", init="self.calls = 0") == [("spec.state", 0)]


@pytest.mark.parametrize("made", ["torch.randn(8, 8).t()", "torch.randn(8, 16)[:, ::2]", "torch.randn(8, 1).expand(8, 8)"])
def test_inputs_and_parameters_that_are_not_contiguous_are_refused(tmp_path: Path, made: str) -> None:
    body = "def forward(self, x, y):\n    return x * y\n"
    with pytest.raises(Rejected, match="the input y is not contiguous") as caught:
        spec(tmp_path, body, inputs=f"[torch.randn(8, 8), {made}]")
    assert [r.code for r in caught.value.rejections] == ["spec.strides"]
    with pytest.raises(Rejected, match="the parameter w is not contiguous"):
        spec(tmp_path, "def forward(self, x):\n    return x * self.w\n", inputs="[torch.randn(8, 8)]", init=f"self.w = nn.Parameter({made})")


@pytest.mark.parametrize("line", ["x.t()", "x.T", "x.mT", "x.transpose(0, 1)", "x.permute(1, 0)", "x.swapaxes(0, 1)", "torch.einsum('ij->ji', x)",
                                  "x.as_strided((8, 8), (1, 8))", "x.t() + 0", "x.view(1, 8, 8, 1).movedim(1, 2)",
                                  "x.view(1, 4, 4, 4).contiguous(memory_format=torch.channels_last)",
                                  "x.view(1, 4, 4, 4).to(memory_format=torch.channels_last)", "x.view(1, 4, 4, 4).clone(memory_format=torch.channels_last)"])
def test_no_other_order_of_the_elements_is_accepted(tmp_path: Path, line: str) -> None:
    ((code, at),) = codes(tmp_path, f"def forward(self, x):\n    return {line}\n", inputs="[torch.randn(8, 8)]")
    assert code in ("spec.operator", "spec.strides") and at == 9


def test_evaluates_like_pytorch(tmp_path: Path) -> None:
    """Exact operations only: the translated expression is bit for bit what the module computes, all NaNs one."""
    body = """
    def forward(self, x, y):
        m = (x > y) | torch.isnan(x)
        z = torch.where(m, x * 0.3 - y, (y / 3.0).clamp(-1.0, 2.0))
        z += x
        return torch.where(z.abs() < 0.1, torch.floor(y), 1 / z)
    """
    path = write(tmp_path, body, inputs="[torch.randn(8), torch.randn(8)]")
    (root,) = captured(path).outputs
    rng = np.random.default_rng(7)
    print("seed 7")
    columns = [np.concatenate([rng.integers(0, 1 << 32, 2000, dtype=np.uint32), rng.standard_normal(2000).astype(np.float32).view(np.uint32)]) for _ in "xy"]

    def step(node: Expr, args: tuple[np.ndarray, ...]) -> np.ndarray:
        if node.is_const:
            return np.full(4000, node.value, dtype=np.uint32)
        if node.is_var:
            return columns["xy".index(node.name)]
        run = OPS[node.op].eval
        assert run is not None
        return np.asarray(run(*args))

    found = importlib.util.spec_from_file_location("model", path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    theirs = module.Model()(*(torch.from_numpy(c.view(np.float32).copy()) for c in columns)).numpy().view(np.uint32)
    ours = fold((root,), step)[root]
    nan = (theirs & 0x7FFFFFFF) > 0x7F800000
    assert nan.any() and np.array_equal(np.where(nan, 0x7FFFFFFF, theirs), ours)


# --- in place


def test_in_place_operations_change_the_value(tmp_path: Path) -> None:
    got = spec(tmp_path, "def forward(self, x):\n    z = x + 1\n    z.mul_(2)\n    F.relu(z, inplace=True)\n    return z\n")
    inner = "mul_rn(add_rn(x, 1.0), 2.0)"
    assert show(got.outputs[0]) == f"select(lt({inner}, 0.0), 0.0, {inner})"


def test_in_place_writes_the_first_operand(tmp_path: Path) -> None:
    got = spec(tmp_path, "def forward(self, x):\n    z, y = x + 1, -x\n    z.clamp_(y)\n    return z, y\n")
    assert [show(o) for o in got.outputs] == ["max_nan(add_rn(x, 1.0), neg(x))", "neg(x)"]


@pytest.mark.parametrize("body", [
    "x.add_(1)\n    return x * 2",
    "y = x.contiguous()\n    y.add_(1)\n    return x * 2",
    "z = x + 1\n    v = z.view(8)\n    v.add_(1)\n    return z",
    "z = x + 1\n    v = z.view(8)\n    z.add_(1)\n    return v",
    "self.w.add_(x)\n    return self.w + 0",
])
def test_in_place_on_shared_memory_is_refused(tmp_path: Path, body: str) -> None:
    got = codes(tmp_path, f"def forward(self, x):\n    {body}\n", init="self.register_buffer('w', torch.zeros(8))")
    assert {c for c, _ in got} <= {"spec.mutation", "spec.output"} and got


# --- refusals


@pytest.mark.parametrize(("line", "code"), [
    ("return torch.cumsum(x, 0)", "spec.operator"),
    ("return torch.softmax(x, 0)", "spec.operator"),
    ("return F.dropout(x, 0.5)", "spec.operator"),
    ("return x * 1e300", "spec.operator"),
    ("return x.double() + 1", "spec.dtype"),
    ("return x.half() + 1", "spec.dtype"),
    ("return (x * 4).int() + x", "spec.dtype"),
    ("return x + torch.tensor([1.0, 2.0] * 4)", "spec.constant"),
    ("return x + torch.tensor(0.1, dtype=torch.float64)", "spec.dtype"),
    ("return x > 0", "spec.dtype"),
    ("return x.reshape(2, 4) + x[:4]", "spec.operator"),
    ("return x.reshape(2, 4).expand(2, 4) + x.reshape(4, 2).expand(4, 2).sum()", "spec.operator"),
    ("return x.reshape(8, 1) + x", "spec.broadcast"),
    ("return x.reshape(1, 8).expand(3, 8)", "spec.broadcast"),
    ("return x[x > 0]", "spec.operator"),
    ("return x.max(0).values + x", "spec.operator"),
    ("return torch.ones(3)", "spec.broadcast"),
    ("return x + torch.zeros(3, 8)", "spec.broadcast"),
    ("return 3", "spec.output"),
    ("return x if x.sum() > 0 else -x", "spec.capture"),
    ("return x * x.sum().item()", "spec.operator"),
])
def test_refuses_by_name(tmp_path: Path, line: str, code: str) -> None:
    assert codes(tmp_path, f"def forward(self, x):\n    {line}\n")[0][0] == code


def test_every_unknown_operator_is_reported_with_its_line(tmp_path: Path) -> None:
    got = codes(tmp_path, "def forward(self, x):\n    y = torch.cumsum(x, 0)\n    y = y + 1\n    return torch.flip(y, [0])\n")
    assert got == [("spec.operator", 9), ("spec.operator", 11)]


def test_a_repeated_refusal_is_reported_once(tmp_path: Path) -> None:
    assert codes(tmp_path, "def forward(self, x):\n    return x[0] + x[1] + x[0]\n") == [("spec.operator", 9)]


def test_the_message_names_the_operator_and_the_place(tmp_path: Path) -> None:
    with pytest.raises(Rejected) as caught:
        spec(tmp_path, "def forward(self, x):\n    return torch.cumsum(x, 0)\n")
    (said,) = caught.value.rejections
    assert str(said.where) == f"{tmp_path}/spec.py:9:0" and "aten.cumsum.default" in said.message


@pytest.mark.parametrize("inputs", ["[torch.randn(8), torch.randn(1)]", "[torch.randn(8), torch.tensor(2.0)]", "[torch.randn(4, 8), torch.randn(8)]"])
def test_broadcasting_inputs_are_refused(tmp_path: Path, inputs: str) -> None:
    assert codes(tmp_path, "def forward(self, x, y):\n    return x * y\n", inputs=inputs) == [("spec.broadcast", 9)]


def test_a_broadcast_parameter_is_refused(tmp_path: Path) -> None:
    assert codes(tmp_path, "def forward(self, x):\n    return x * self.w\n", init="self.w = nn.Parameter(torch.ones(1))") == [("spec.broadcast", 9)]


def test_other_input_dtypes_are_refused(tmp_path: Path) -> None:
    assert codes(tmp_path, "def forward(self, x):\n    return x + 1.0\n", inputs="[torch.zeros(8, dtype=torch.int64)]") == [("spec.dtype", 0)]


def test_one_name_for_two_tensors_is_refused(tmp_path: Path) -> None:
    body = "def forward(self, w):\n    return w * self.w\n"
    assert codes(tmp_path, body, init="self.w = nn.Parameter(torch.ones(8))") == [("spec.name", 0)]


def usage(folder: Path, text: str) -> str:
    """The sentence of the UsageError that a spec file of this text gives."""
    path = folder / "spec.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        captured(path)
    return str(caught.value).removeprefix(str(path))


@pytest.mark.parametrize(("forward", "rest", "said"), [
    ("return x", "", ": it has no function get_inputs()"),
    ("return x", "def get_inputs(): return 3", ": get_inputs() returns int, not a list"),
    ("return x", "def get_inputs(): return [1 / 0]", ":8: get_inputs() fails: ZeroDivisionError: division by zero"),
    ("return x", "def get_init_inputs(): return [1]\ndef get_inputs(): return []", ": Model(*get_init_inputs()) fails: TypeError: "),
    ("return x @ x @ x", "def get_inputs(): return [torch.ones(2, 3)]", ":7: running the spec fails: RuntimeError: "),
    ("raise SystemExit(3)", "def get_inputs(): return [torch.ones(3)]", ":7: running the spec fails: SystemExit: 3"),
])
def test_a_broken_spec_is_one_sentence(tmp_path: Path, forward: str, rest: str, said: str) -> None:
    got = usage(tmp_path, f"{HEAD}class Model(nn.Module):\n    def forward(self, x):\n        {forward}\n{rest}\n")
    assert got.startswith(said) and "\n" not in got


@pytest.mark.parametrize(("text", "said"), [
    ("class Model(:\n", ":1: importing the spec fails: SyntaxError: invalid syntax"),
    ("\nimport no_such_module_anywhere\n", ":2: importing the spec fails: ModuleNotFoundError: No module named 'no_such_module_anywhere'"),
    ("import sys\nsys.exit('bye')\n", ":2: importing the spec fails: SystemExit: bye"),
    ("\x00", ": importing the spec fails: "),
])
def test_a_file_that_does_not_import_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    got = usage(tmp_path, text)
    assert got.startswith(said) and "\n" not in got


def test_a_missing_class_is_named_with_those_there_are(tmp_path: Path) -> None:
    path = write(tmp_path, "def forward(self, x):\n    return x\n")
    with pytest.raises(Rejected) as caught:
        captured(path, "Net")
    (said,) = caught.value.rejections
    assert said.code == "spec.no_model" and said.message == "it defines no nn.Module class Net; it has Model"


# --- the verifier


def test_the_verifier_does_not_import_torch() -> None:
    code = "import sys, devsem.frontend.spec; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).resolve().parents[1], check=False).returncode == 0
