"""Formulas as NVRTC compiles them: against PyTorch, against the same formula as written, and against kernels that people write.

The eager table's formulas are compiled in one text (a second or two); that this changes no kernel's code is a slow test.
"""

from __future__ import annotations

import re
from functools import cache

import pytest
import test_aten as cpu
import test_eager as eager

import devsem.compiled
from devsem.aten_eager_activations import LERP
from devsem.aten_eager_rows import Applied, Formula
from devsem.compiled import Body, compile_formulas, library
from devsem.errors import Rejected
from devsem.expr import Expr, const, mk, substitute, topo, var
from devsem.frontend.nvrtc import Compiled, Job, compile_device, compile_many
from devsem.frontend.ptx import parse
from devsem.frontend.ptxas import machine
from devsem.frontend.sass import nvdisasm_path
from devsem.frontend.spec import Captured, Spec, load_spec, translate
from devsem.frontend.toolkits import choose_toolkit
from devsem.ops import F32, OPS
from devsem.program import Param
from devsem.prove import Proof, prove
from devsem.ptx_bits import FIRST_SITE
from devsem.ptx_symbolic import NAN_NOTE, run_ptx
from devsem.reference import Payloads, at, reference_side, resolve

PLANS = {case.id: eager.planned(*case.values) for case in eager.CASES}
FORMULAS = tuple(dict.fromkeys(p.formula for p in PLANS.values() if isinstance(p, Applied)))
READ = [case for case in eager.CASES if isinstance(PLANS[case.id], Applied)]
ARCHS = ("sm_90", "sm_100")


def compiled(formula: Formula) -> Expr:
    """The formula as compiled for sm_90."""
    body = compile_formulas(FORMULAS, "sm_90")[formula]
    assert isinstance(body, Body), body
    return body.value


def test_every_formula_is_read() -> None:
    assert {f.body for f, v in compile_formulas(FORMULAS, "sm_90").items() if isinstance(v, Rejected)} == set()


@pytest.mark.parametrize(("name", "args"), [case for case in READ if case.values[0] not in eager.FUSED])
def test_compiled_formula_agrees_with_the_cpu(name: str, args: cpu.Args) -> None:
    eager.agrees_with_the_cpu(name, args, eager.value(eager.planned(name, args), compiled))


EXACT = [f for f in FORMULAS if not any(f"{name}(" in f.body for name in eager.LIBRARY)]


@pytest.mark.parametrize("formula", EXACT, ids=lambda f: f.body)
def test_compiled_formula_is_the_written_one(formula: Formula) -> None:
    """Bit for bit, fused places included, where no function of the math library takes part."""
    inputs = cpu.patterns([f"f:{name}" for name, _ in formula.params], cpu.SEED)
    ours, theirs = (eager.evaluated(substitute(value, {var(n, F32): var(f"f:{n}", F32) for n, _ in formula.params}), inputs)
                    for value in (compiled(formula), eager.as_written(formula)))
    assert ((ours == theirs) | (cpu.is_nan(ours) & cpu.is_nan(theirs))).all()


def test_a_library_function_has_only_instructions() -> None:
    """GPU_FLOAT.md, 8.3: expf ends in ex2.approx.ftz times a power of two; logf and powf have no ex2 or lg2."""
    assert obligations(library("expf", "sm_90").value) == {"D.ex2_approx_ftz"}
    assert obligations(library("rsqrtf", "sm_90").value) == {"D.rsqrt_approx"}
    assert obligations(library("powf", "sm_90").value) <= {"D.rcp_approx_ftz", "D.nan_bits"}
    assert obligations(library("sinf", "sm_90").value) == {"D.nan_bits"}
    with pytest.raises(Rejected, match="a loop whose number of turns is not fixed"):
        library("fmodf", "sm_90")


def test_a_fused_product_is_confirmed_in_the_machine_code_or_named(monkeypatch: pytest.MonkeyPatch) -> None:
    lerp = next(f for f in FORMULAS if f.body == LERP)
    if nvdisasm_path() is not None:
        assert not bodies([lerp])[0].notes
    monkeypatch.setattr(devsem.compiled, "nvdisasm_path", lambda: None)
    assert [n for n in bodies([lerp])[0].notes if "predicted" in n and "w * (b - a)" in n]


def bodies(formulas: list[Formula]) -> list[Body]:
    """Formulas as compiled for sm_90, not remembered."""
    return [b for b in devsem.compiled._values(formulas, "sm_90", choose_toolkit()) if isinstance(b, Body)]


def obligations(*values: Expr) -> set[str]:
    """The functions in them that no standard defines."""
    return {n.op for n in topo(*values) if n.args and OPS[n.op].kind == "obligation"}


# --- specs


MODULE = """
import torch
import torch.nn.functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        return ({},)


def get_inputs():
    return [torch.randn(64)]
"""
# what PyTorch computes -> the kernel's expression that computes it likewise, and one that does not
KERNELS = {
    "torch.sigmoid(x)": ("1.0f / (1.0f + expf(-v))", "1.0f / (1.0f + __expf(-v))"),
    "torch.tanh(x)": ("tanhf(v)", "__tanhf(v)"),
    "F.gelu(x)": ("v * 0.5f * (1.0f + erff(v * 0.70710678118654752440f))", "v * 0.5f * (1.0f + __tanhf(v))"),
    "F.gelu(x, approximate='tanh')": ("0.5f * v * (1.0f + tanhf(0.7978845608028654f * (v + 0.044715f * (v * v * v))))",
                                      "0.5f * v * (1.0f + __tanhf(0.7978845608028654f * (v + 0.044715f * (v * v * v))))"),
    "F.silu(x)": ("v / (1.0f + expf(-v))", "v / (1.0f + __expf(-v))"),
    "F.softplus(x)": ("v > 20.0f ? v : log1pf(expf(v))", "v > 20.0f ? v : log1pf(__expf(v))"),
    "x * torch.sigmoid(x)": ("v * (1.0f / (1.0f + expf(-v)))", "v / (1.0f + expf(-v))"),
    "torch.log(x + 1)": ("logf(v + 1.0f)", "logf(v)"),              # the bits of a tensor between two operators
    "torch.tanh(x * 2)": ("tanhf(v * 2.0f)", "tanhf(v + 2.0f)"),
    "torch.erf(F.relu(x))": ("erff(v < 0.0f ? 0.0f : v)", "erff(v > 0.0f ? v : 0.0f)"),
    "x / 10": ("v * 0.1f", "v / 10.0f"),
}
TEXT = """
extern "C" __global__ void k{}(const float* x, float* y, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {{ float v = x[i]; y[i] = {}; }}
}}
"""
PARAMS = (Param("x", "const float*"), Param("y", "float*"), Param("n", "int"))


OTHERS = ("torch.exp(x)", "torch.sin(x)", "x * 2", "torch.fmod(x, x)", "torch.remainder(x, 2.0)", "torch.div(x, 3.0, rounding_mode='trunc')")


@pytest.fixture(scope="module")
def captured(tmp_path_factory: pytest.TempPathFactory) -> Captured:
    """One graph with all of KERNELS and OTHERS as outputs."""
    path = tmp_path_factory.mktemp("spec") / "spec.py"
    path.write_text(MODULE.format(", ".join((*KERNELS, *OTHERS))), encoding="utf-8")
    found = load_spec(str(path)).captured
    assert found is not None
    return found


def part(captured: Captured, *values: str) -> Spec:
    """The spec with only these outputs."""
    outputs = [captured.graph["outputs"][(*KERNELS, *OTHERS).index(v)] for v in values]
    calls = {c["name"]: c for c in captured.graph["calls"]}
    needed, todo = set[str](), [o["node"] for o in outputs]
    while todo:
        name = todo.pop()
        needed.add(name)
        todo += [a["node"] for a in calls[name]["args"].values() if isinstance(a, dict) and "node" in a and a["node"] in calls] if name in calls else []
    return translate(captured.path, {**captured.graph, "outputs": outputs, "calls": [c for c in calls.values() if c["name"] in needed]})


@cache
def kernels(arch: str) -> list[Expr]:
    """What every kernel of KERNELS stores, over the variable x."""
    text = "".join(TEXT.format(n, e) for n, e in enumerate(e for pair in KERNELS.values() for e in pair))
    module = parse(compile_device(text, file="k.cu", arch=arch, options=()).ptx, "k.cu")
    made = []
    for function in sorted(module.functions, key=lambda f: int(f.name[1:])):
        stores = run_ptx(machine(function, arch=arch, fmad=True).function, PARAMS)
        made.append(substitute(stores.stores[0].value, {load.variable: var(load.buffer, F32) for load in stores.loads}))
    return made


def proved(kernel: Expr, meant: Expr) -> bool:
    """Whether the two are proved equal, given that the device's instructions are the reference's."""
    return isinstance(prove(kernel, meant, (), 20, {row: (f"S.{row[2:]}", "agree") for row in obligations(kernel)}), Proof)


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("n", range(len(KERNELS)), ids=list(KERNELS))
def test_a_kernel_that_computes_as_pytorch_does_is_pytorch(captured: Captured, arch: str, n: int) -> None:
    spec = part(captured, *KERNELS)
    meant, same, other = resolve(spec, "eager", arch).outputs[n], kernels(arch)[2 * n], kernels(arch)[2 * n + 1]
    assert not {row for row in obligations(meant) if row[2:] in eager.LIBRARY}
    assert reference_side(same) is meant or proved(same, meant)
    assert reference_side(other) is not meant
    assert not proved(other, meant)


def test_the_verdict_is_told_what_the_reference_is(captured: Captured) -> None:
    spec = part(captured, *KERNELS)
    notes = resolve(spec, "eager", "sm_90").assumptions
    assert any("each PyTorch operator is its CUDA kernel, as NVRTC 13" in n and "for sm_90" in n for n in notes)
    assert any(n.startswith("division by a number is a product with its reciprocal") for n in notes)
    assert not any("division by a number" in n for n in spec.assumptions)


def test_under_ieee_a_library_function_is_cudas(captured: Captured) -> None:
    spec = part(captured, "torch.exp(x)", "torch.sin(x)", "torch.sigmoid(x)", "x * 2")
    made = resolve(spec, "ieee", "sm_90")
    body = substitute(reference_side(library("expf", "sm_90").value), {var("a", F32): var("x", F32)})
    assert made.outputs[0] is body
    assert made.outputs[1] is substitute(reference_side(library("sinf", "sm_90").value), {var("a", F32): var("x", F32)})
    assert made.outputs[2].args[1].op == "add_rn"           # each operation rounded, though a compiler fuses the last product of expf into it
    assert made.outputs[3] is spec.outputs[3]
    assert any(n.startswith("the spec's expf is CUDA's, as NVRTC 13") for n in made.assumptions)
    assert any(n.startswith("the spec's sinf is CUDA's") for n in made.assumptions)


def test_no_two_unknown_nans_are_taken_to_be_equal() -> None:
    """An input's NaN has the input's number; what a formula hands on has a number of its own each time that the formula is used."""
    x, y = var("x", F32), var("y", F32)
    payloads = Payloads({x: 0, y: 1})
    keys = [{n.args[0].value for n in topo(at(body, args, payloads)) if n.op == "S.nan_bits"}
            for body, args in ((library("tanhf", "sm_90"), (x,)), (library("tanhf", "sm_90"), (y,)), (library("tanhf", "sm_90"), (mk("neg", x),)),
                               (library("powf", "sm_90"), (x, const(2.5))), (library("powf", "sm_90"), (x, const(2.5))))]
    assert keys[:2] == [{0}, {1}]
    assert all(min(k) >= FIRST_SITE for k in keys[2:])
    assert not keys[2] & keys[3] | keys[2] & keys[4] | keys[3] & keys[4]
    assert not payloads.notes
    assert not [n for n in topo(at(library("tanhf", "sm_90"), (mk("mul_rn", x, y),), payloads)) if n.op == "S.nan_bits"]
    assert payloads.notes == (NAN_NOTE,)


@pytest.mark.parametrize(("values", "said"), [
    (("torch.fmod(x, x)", "torch.remainder(x, 2.0)"), ["aten.fmod.Tensor: its CUDA kernel is not in the table", "aten.remainder.Scalar: its CUDA kernel"]),
    (("torch.div(x, 3.0, rounding_mode='trunc')",), ["aten.div.Tensor_mode: its CUDA kernel is not in the table of `--reference eager`: division by a"]),
])
def test_what_is_not_known_is_refused_by_name(captured: Captured, values: tuple[str, ...], said: list[str]) -> None:
    with pytest.raises(Rejected) as refused:
        resolve(part(captured, *values), "eager", "sm_90")
    assert [r.code for r in refused.value.rejections] == ["spec.eager"] * len(said)
    for rejection, text in zip(refused.value.rejections, said, strict=True):
        assert text in rejection.message
        assert rejection.where.line == 8


# --- compilation together and alone


@pytest.mark.slow
@pytest.mark.parametrize("arch", ["sm_75", "sm_80", "sm_90", "sm_100", "sm_120"])
def test_formulas_compiled_together_have_the_code_that_they_have_alone(arch: str) -> None:
    together = compile_device("".join(f.kernel(f"k{i}") for i, f in enumerate(FORMULAS)), file="f.cu", arch=arch, options=())
    for i, alone in enumerate(compile_many([Job(f.kernel("k"), "f.cu", arch) for f in FORMULAS])):
        assert isinstance(alone, Compiled)
        assert code(together.ptx, f"k{i}") == code(alone.ptx, "k"), FORMULAS[i].body


def code(ptx: str, name: str) -> str:
    """A kernel's body, without what its place in the text decides."""
    found = re.search(rf"\.entry {name}\(.*?\n\}}", ptx, re.DOTALL)
    assert found is not None
    return re.sub(r"__local_depot\d+", "__local_depot", re.sub(r"BB\d+_", "BB_", re.sub(rf"\b{name}(_param|\()", r"k\1", found[0])))
