"""Kernels and specs that are not pointwise, in a launch of fixed size: from the two files to the verdict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from devsem import floats
from devsem.aten_order import Free
from devsem.cells import Pair, classes, renamed, undecided
from devsem.cells_fused import anyway
from devsem.errors import UsageError
from devsem.expr import const, mk
from devsem.goal import parse_launch
from devsem.instance import element
from devsem.pipeline import verify
from devsem.places import ranges
from devsem.profile import load_profile
from devsem.request import Request
from devsem.verdict import Verdict

SPEC = ("import torch\nimport torch.nn as nn\n\nclass Model(nn.Module):\n    def forward(self, {names}):\n        {body}\n\n"
        "def get_inputs():\n    return {inputs}\n")
ROWS = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < rows) y[i] = {value};"
ORDERED = "return (x[:, 0] + x[:, 1]) + x[:, 2]"
X43, AB = "[torch.randn(4, 3)]", "[torch.randn(2, 2), torch.randn(2, 2)]"
Ask = Callable[..., Verdict]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """A verdict on a kernel's body against a spec's."""
    def one(params: str, kernel: str, body: str, inputs: str, launch: str, device: str = "ieee", bind: str | None = None) -> Verdict:
        (tmp_path / "k.cu").write_text(f"__global__ void k({params}) {{ {kernel} }}\n", encoding="utf-8")
        names = "x, w" if inputs == AB else "x"
        (tmp_path / "s.py").write_text(SPEC.format(names=names, body=body, inputs=inputs), encoding="utf-8")
        request = Request(kernel=tmp_path / "k.cu", spec=tmp_path / "s.py", devices=(device,), launch=launch, bind=bind, out=tmp_path / "out", timeout=4.0)
        return verify(request, lambda _: None)[0]
    return one


XY = "const float* x, float* y, int rows"


@pytest.mark.parametrize(("value", "verdict"), [
    ("(x[3 * i] + x[3 * i + 1]) + x[3 * i + 2]", "PROVED"),
    ("x[3 * i + 2] + (x[3 * i + 1] + x[3 * i])", "PROVED"),
    ("x[3 * i] + (x[3 * i + 1] + x[3 * i + 2])", "REFUTED"),
    ("(x[i] + x[4 + i]) + x[8 + i]", "REFUTED"),
])
def test_a_row_in_a_fixed_order(ask: Ask, value: str, verdict: str) -> None:
    found = ask(XY, ROWS.format(value=value), ORDERED, X43, "grid=2,1,1 block=2,1,1")
    assert (found.verdict, found.safety.verdict, found.reading, found.order) == (verdict, "PASS", "written", "bits"), found.reason
    assert "rows = 4" in found.assumptions[0] and found.lean_file
    if verdict == "REFUTED":
        assert found.witness is not None and set(found.witness.inputs) == {f"x[{i}]" for i in range(12)} and found.witness.kernel != found.witness.spec


def test_the_theorem_is_about_every_cell(ask: Ask) -> None:
    found = ask(XY, ROWS.format(value="(x[3 * i] + x[3 * i + 1]) + x[3 * i + 2]"), ORDERED, X43, "grid=1,1,1 block=4,1,1")
    text = Path(found.lean_file).read_text()
    assert "all 4 elements of y" in found.theorem and text.count("(specValue0 S (m 0 ") == 4 and "(m 0 9) (m 0 10) (m 0 11)" in text
    assert "y[0-3]" in text and any("runs every thread" in a for a in found.assumptions)


@pytest.mark.parametrize(("value", "verdict", "says"), [
    ("0.0f + x[3 * i] + x[3 * i + 1] + x[3 * i + 2]", "OPEN", "PyTorch fixes no order"),
    pytest.param("0.0f + x[3 * i + 2] + x[3 * i + 1] + x[3 * i]", "OPEN", "the order of a sum matters there", marks=pytest.mark.slow),
    ("x[3 * i] + x[3 * i + 1] + x[3 * i + 2]", "REFUTED", ""),      # of three times -0
    ("x[3 * i] + x[3 * i + 1]", "REFUTED", ""),
])
def test_a_sum_without_an_order_is_refuted_or_open(ask: Ask, value: str, verdict: str, says: str) -> None:
    found = ask(XY, ROWS.format(value=value), "return x.sum(dim=1)", X43, "grid=1,1,1 block=4,1,1")
    assert found.verdict == verdict and says in found.reason, found.reason
    assert any("fixes no order" in a for a in found.assumptions)


def test_contraction_is_the_profiles(ask: Ask) -> None:
    kernel = "y[threadIdx.x] = x[2 * threadIdx.x] * w[threadIdx.x % 2] + x[2 * threadIdx.x + 1] * w[2 + threadIdx.x % 2];".replace("% 2", "* 0")
    body = "return torch.stack([x[0, 0] * w[0, 0] + x[0, 1] * w[1, 0], x[1, 0] * w[0, 0] + x[1, 1] * w[1, 0]])"
    params = "const float* x, const float* w, float* y"
    assert ask(params, kernel, body, AB, "grid=1,1,1 block=2,1,1").verdict == "PROVED"
    assert ask(params, kernel, body, AB, "grid=1,1,1 block=2,1,1", device="h100").verdict == "REFUTED"


def test_a_fault_of_the_launch_refutes(ask: Ask) -> None:
    found = ask(XY, ROWS.format(value="x[3 * i + 3]"), ORDERED, X43, "grid=1,1,1 block=4,1,1")
    assert (found.verdict, found.safety.verdict) == ("REFUTED", "FAIL") and "x[12]" in found.reason
    assert found.safety.counterexample is not None and found.safety.counterexample["thread"] == "(3, 0, 0)"
    short = ask(XY, ROWS.format(value="x[i]"), ORDERED, X43, "grid=1,1,1 block=2,1,1")
    assert short.safety.verdict == "FAIL" and "no thread writes y[2]" in short.reason


def test_what_is_not_said_is_asked_for(ask: Ask) -> None:
    kernel = ROWS.replace("rows", "many").format(value="x[i]")
    with pytest.raises(UsageError, match=r"--bind many=NUMBER, or many=TENSOR.size\(AXIS\)"):
        ask("const float* x, float* y, int many", kernel, ORDERED, X43, "grid=1,1,1 block=4,1,1")
    bound = ask("const float* x, float* y, int many", kernel, "return x[:, 0] * 1.0", X43, "grid=1,1,1 block=4,1,1", bind="many=x.size(0)")
    assert bound.verdict == "REFUTED" and "many = 4" in bound.assumptions[0]
    with pytest.raises(UsageError, match="the spec's tensors are x"):
        ask("const float* x, float* y, int many", kernel, ORDERED, X43, "grid=1,1,1 block=4,1,1", bind="many=x.size(2)")


def test_without_a_launch_sizes_have_the_names_of_the_specs_tensors(ask: Ask) -> None:
    with pytest.raises(UsageError, match="n in 'n' is none of"):
        ask(XY, ROWS.format(value="x[i]"), ORDERED, X43, "1d", bind="rows=n")


def test_launches_of_three_dimensions() -> None:
    launch = parse_launch("grid=2,3,1 block=4,2,2 smem=1024")
    assert (launch.grid, launch.block, launch.shared_bytes, launch.flat) == ((2, 3, 1), (4, 2, 2), 1024, False)
    assert parse_launch("grid=4 block=256").flat and parse_launch("grid=4 block=256").threads == 1024
    for wrong in ("grid=0 block=1", "grid=1 block=64,32,1", "grid=1,70000 block=1", "grid=1 block=1,1,65", "grid=1 block=1 smem=99999", "grid=1,1,1,1 block=1"):
        with pytest.raises(UsageError):
            parse_launch(wrong)


def test_cells_of_one_form_are_one_class() -> None:
    x = [element("x", i) for i in range(4)]
    pairs = [Pair(0, "y", i, mk("w_add", x[i], x[i + 1]), mk("add_rn", x[i], x[i + 1])) for i in range(3)]
    other = Pair(0, "y", 3, mk("w_add", x[0], x[0]), mk("add_rn", x[0], x[0]))
    swapped = Pair(0, "y", 4, mk("w_add", x[0], x[1]), mk("add_rn", x[1], x[0]))
    assert [[p.index for p in c] for c in classes([*pairs, other, swapped])] == [[0, 1, 2], [3], [4]]
    assert renamed(x[3], x[3]) == renamed(x[0], x[0]) != renamed(x[0], x[1])
    assert ranges([3, 1, 2, 9]) == "1-3, 9"


def test_an_input_decides_only_where_every_order_agrees() -> None:
    x = [element("x", i) for i in range(4)]
    value = mk("add_rn", mk("add_rn", mk("add_rn", const(0.0), x[0]), x[1]), x[2])
    free = [Free("sum", value, tuple(x[:3]))]
    exact = {"x[0]": 0x3F800000, "x[1]": 0x40000000, "x[2]": 0x40400000}
    assert undecided(free, exact) == ""
    assert "order" in undecided(free, {**exact, "x[1]": 0x33800000, "x[2]": 0x33800000})
    e = [mk("S.expf", v) for v in x[:3]]
    soft = [Free("sum", mk("add_rn", mk("add_rn", mk("add_rn", const(0.0), e[0]), e[1]), e[2]), tuple(e))]
    assert undecided(soft, {"x[0]": 0, "x[1]": 0xC2C80000, "x[2]": 0xFF800000}) == ""       # 1 + exp(-100) + 0
    assert undecided(soft, {"x[0]": 0, "x[1]": 0xBF800000, "x[2]": 0xBF800000}) != ""       # exp(-1) is known to a few last places only


@pytest.mark.slow
def test_what_differs_however_products_are_fused_is_refuted(ask: Ask) -> None:
    params = "const float* x, float* y"
    kernel = "float p = x[0] * x[1]; y[0] = p + x[2]; y[1] = p * 2.0f;"        # p is used twice, so that it may be fused or not
    right = "return torch.stack([x[0] * x[1] + x[2], x[0] * x[1] * 2.0])"
    fused = ask(params, kernel, right, "[torch.randn(3)]", "grid=1,1,1 block=1,1,1", device="h100")
    assert fused.verdict == "OPEN" and "fuse" in fused.reason, fused.reason
    assert ask(params, kernel, right, "[torch.randn(3)]", "grid=1,1,1 block=1,1,1").verdict == "PROVED"
    wrong = "return torch.stack([x[0] * x[1] + 3.0 * x[2], x[0] * x[1] * 2.0])"
    found = ask(params, kernel, wrong, "[torch.randn(3)]", "grid=1,1,1 block=1,1,1", device="h100")
    assert found.verdict == "REFUTED" and any("whatever the compiler fuses" in a for a in found.assumptions)


def test_every_way_to_fuse_is_within_the_interval() -> None:
    a, b, c, d = (element("x", i) for i in range(4))
    written = mk("w_sub", mk("w_add", mk("w_mul", a, b), c), mk("w_neg", mk("w_mul", c, d)))
    profile = load_profile("h100")
    rng = np.random.default_rng(3)
    for _ in range(60):
        pick = [int(p) for p in rng.choice([0x3F800001, 0xBF800001, 0x3F800800, 0xBF801000, 0x00000003, 0x7F000000, 0, 0x34000000, 0x40490FDB], 4)]
        given = anyway(written, profile, {f"x[{i}]": p for i, p in enumerate(pick)})
        x, y, z, w = (np.array([p], np.uint32) for p in pick)
        first = [floats.add(floats.mul(x, y), z), floats.fma(x, y, z)]
        every = [v for s in first for v in (floats.add(s, floats.mul(z, w)), floats.fma(z, w, s))]
        assert given is not None
        for v in every:
            inside = (given.number & floats.le(given.low, v) & floats.le(v, given.high)) | (given.exact & (given.low == v)) | ~given.known
            assert inside.all(), (pick, given, every)


def test_a_spec_beyond_the_stated_range_is_looked_at_in_its_own_size(ask: Ask) -> None:
    params, inputs = "const float* x, float* y, long long n", "[torch.empty(4294967552)]"
    kernel = "const long long i = {}; if (i < n) y[i] = x[i] * 2.0f;"
    found = ask(params, kernel.format("blockIdx.x * blockDim.x + threadIdx.x"), "return x * 2.0", inputs, "1d")
    assert (found.verdict, found.safety.verdict) == ("REFUTED", "FAIL") and "block (16777216, 0, 0)" in found.reason
    wide = ask(params, kernel.format("(long long)blockIdx.x * blockDim.x + threadIdx.x"), "return x * 2.0", inputs, "1d")
    assert wide.verdict != "REFUTED"


def test_the_maximum_of_zeros_of_both_signs_refutes_nothing(tmp_path: Path) -> None:
    kernel, spec = tmp_path / "k.cu", tmp_path / "s.py"
    kernel.write_text("""extern "C" __global__ void k(const float* x, float* y) {
  float m = x[0];
  for (int j = 1; j < 3; ++j) { float v = x[j]; m = (v > m || v != v) ? v : m; }
  y[0] = m;
}
""")
    spec.write_text("import torch\nclass Model(torch.nn.Module):\n    def forward(self, x): return x.amax(dim=1)\n"
                    "def get_inputs(): return [torch.randn(1, 3)]\ndef get_init_inputs(): return []\n")
    (v,) = verify(Request(kernel=kernel, spec=spec, devices=("ieee",), out=tmp_path, launch="grid=1,1,1 block=1,1,1"), lambda _: None)
    assert v.verdict == "OPEN"
    assert "zeros of both signs" in v.reason
