"""The compiled reading, end to end: PyTorch's own activations, loops that only the compiler unrolls, PTX files, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from devsem.errors import UsageError
from devsem.frontend.sass_match import Confirmation
from devsem.pipeline import verify
from devsem.request import Request
from devsem.verdict import Verdict

SPEC = """import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return {value}
def get_inputs():
    return [torch.randn(64)]
"""
KERNEL = """extern "C" __global__ void k(const float* x, float* y, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {{ float v = x[i]; {body} }}
}}
"""
SIGMOID = "y[i] = 1.0f / (1.0f + {exp}(-v));"
PRIMITIVES = {"ex2.approx.ftz.f32", "rcp.approx.ftz.f32", "nan_bits"}


def decide(tmp_path: Path, body: str, value: str, **options: object) -> list[Verdict]:
    """The verdicts on a kernel's body against PyTorch's expression."""
    kernel, spec = tmp_path / "k.cu", tmp_path / "k.py"
    kernel.write_text(KERNEL.format(body=body))
    spec.write_text(SPEC.format(value=value))
    return verify(Request(**{"kernel": kernel, "spec": spec, "devices": ("h100",), "out": tmp_path, **options}), lambda _: None)  # type: ignore[arg-type]


@pytest.mark.lean
@pytest.mark.parametrize(("body", "value"), [
    (SIGMOID.format(exp="expf"), "torch.sigmoid(x)"), ("y[i] = tanhf(v);", "torch.tanh(x)"),
    pytest.param("y[i] = v / (1.0f + expf(-v));", "torch.nn.functional.silu(x)", marks=pytest.mark.slow),
    pytest.param("y[i] = v * 0.5f * (1.0f + erff(v * 0.70710678118654752f));", "torch.nn.functional.gelu(x)", marks=pytest.mark.slow),
    pytest.param("y[i] = v > 20.0f ? v : log1pf(expf(v));", "torch.nn.functional.softplus(x)", marks=pytest.mark.slow),
])
def test_activations_as_pytorch_computes_them(tmp_path: Path, body: str, value: str) -> None:
    """Proved on two architectures, assuming nothing but that an instruction is a function."""
    for v in decide(tmp_path, body, value, reference="eager", devices=("h100", "b200")):
        assert v.verdict == "PROVED", v.reason
        assert {o.name for o in v.obligations} <= PRIMITIVES
        assert v.reading == "both" and v.reference == "eager" and v.compiler.startswith("NVRTC")


@pytest.mark.lean
def test_the_fast_exponential_is_another_function(tmp_path: Path) -> None:
    (v,) = decide(tmp_path, SIGMOID.format(exp="__expf"), "torch.sigmoid(x)", reference="eager")
    assert v.verdict == "REFUTED" and any("ex2" in b.function for b in v.bounds), v.reason


@pytest.mark.lean
def test_a_fused_library_function_against_the_rounded_one(tmp_path: Path) -> None:
    """expf's last product is fused into the sum; the ieee reference rounds it. The two are equal, and that is proved."""
    (v,) = decide(tmp_path, SIGMOID.format(exp="expf"), "torch.sigmoid(x)", reading="compiled")
    assert v.verdict == "PROVED" and [o.name for o in v.obligations] == ["ex2.approx.ftz.f32"], v.reason
    assert v.reading == "compiled" and v.readings is None


@pytest.mark.lean
def test_a_loop_that_the_compiler_unrolls(tmp_path: Path) -> None:
    body = "for (int j = 0; j < 3; ++j) v = v + 1.5f; y[i] = v;"
    (v,) = decide(tmp_path, body, "x + 1.5 + 1.5 + 1.5")
    assert (v.verdict, v.reading) == ("PROVED", "both"), v.reason
    (text,) = decide(tmp_path, body, "x + 1.5 + 1.5 + 1.5", reading="written")
    assert (text.verdict, text.reading) == ("PROVED", "written"), text.reason


@pytest.mark.lean
def test_a_product_that_is_carried_round_a_loop_is_read_in_the_code_alone(tmp_path: Path) -> None:
    """Whether it is fused into the next turn's sum depends on whether the compiler unrolls the loop, which the text does not say."""
    body = "float p = 0; for (int j = 0; j < 3; ++j) { v = v + p; p = v * v; } y[i] = v;"
    (text,) = decide(tmp_path, body, "x", reading="written")
    assert text.verdict == "OPEN" and "a loop" in text.reason, text.reason


@pytest.mark.lean
def test_the_text_is_read_alone_where_the_code_is_not(tmp_path: Path) -> None:
    (v,) = decide(tmp_path, "y[i] = fmodf(v, 3.0f);", "torch.fmod(x, 3.0)")
    assert (v.verdict, v.reading) == ("PROVED", "written")
    assert any("only the text is read" in a and "ptx.loop" in a for a in v.assumptions)
    (v,) = decide(tmp_path, "y[i] = fmodf(v, 3.0f);", "torch.fmod(x, 3.0)", reading="compiled")
    assert v.verdict == "REJECTED" and v.rejections[0].code == "ptx.loop"


@pytest.mark.lean
@pytest.mark.lean
def test_a_text_that_only_the_compiler_brings_into_the_form(tmp_path: Path) -> None:
    """The first store's index is the thread's own only once `n - n` is gone."""
    (v,) = decide(tmp_path, "int j = i + n - n; y[j] = 1.0f; y[i] = fmaxf(v, 0.0f);", "torch.where(x > 0, x, torch.zeros_like(x))")
    assert v.verdict == "PROVED", v.reason
    assert v.readings is not None and v.readings.result == "unknown" and "[goal.index]" in v.readings.reason


def test_a_ptx_file(tmp_path: Path) -> None:
    """What NVRTC makes of a ReLU by fmaxf, given as PTX: NaN is lost."""
    ptx = tmp_path / "relu.ptx"
    ptx.write_text(""".version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u32 k_param_2)
{
    .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [k_param_0]; ld.param.u64 %rd2, [k_param_1]; ld.param.u32 %r2, [k_param_2];
    mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;
    mad.lo.s32 %r1, %r3, %r4, %r5;
    setp.ge.s32 %p1, %r1, %r2;
    @%p1 bra $L_end;
    cvta.to.global.u64 %rd3, %rd1; mul.wide.s32 %rd4, %r1, 4; add.s64 %rd5, %rd3, %rd4;
    ld.global.f32 %r6, [%rd5]; max.f32 %r7, %r6, 0f00000000;
    cvta.to.global.u64 %rd6, %rd2; add.s64 %rd7, %rd6, %rd4;
    st.global.f32 [%rd7], %r7;
$L_end:
    ret;
}
""")
    (tmp_path / "k.py").write_text(SPEC.format(value="torch.relu(x)"))
    (v,) = verify(Request(kernel=ptx, spec=tmp_path / "k.py", devices=("h100",), out=tmp_path), lambda _: None)
    assert v.verdict == "REFUTED" and v.witness is not None and v.witness.inputs == {"x": "0x7fc00000"}
    (v,) = verify(Request(kernel=ptx, spec=tmp_path / "k.py", devices=("ieee",), out=tmp_path), lambda _: None)
    assert [r.code for r in v.rejections] == ["cuda.ptx"]


@pytest.mark.lean
def test_what_the_machine_code_does_not_confirm_is_decided_for_every_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The prediction alone would give an answer here; unconfirmed, one choice is proved and another refuted."""
    body, value = "y[i] = v * 0.3f - v;", "x * 0.3 - x"
    (v,) = decide(tmp_path, body, value, reading="compiled")
    assert v.verdict == "REFUTED", v.reason
    monkeypatch.setattr("devsem.readings.confirm", lambda *a, **k: Confirmation(False, "planted"))
    (v,) = decide(tmp_path, body, value, reading="compiled")
    assert v.verdict == "OPEN" and any("planted" in a for a in v.assumptions), v.reason


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    for options, words in (({"reading": "both", "toolkit": "9.1"}, "9.1"), ({"reference": "eager", "reading": "written"}, "--reading"),
                           ({"reading": "half"}, "half")):
        with pytest.raises(UsageError, match=words):
            decide(tmp_path, "y[i] = v;", "x * 1", **options)
