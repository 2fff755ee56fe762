"""PTX to Stores: texts by hand with their exact results, and what NVRTC makes of kernels against the reading as written and against numpy."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from draw import SPECIALS, patterns, seed

from devsem import libm
from devsem.errors import Rejected
from devsem.evaluate import evaluate
from devsem.expr import Expr, bits, show_const, topo, variables
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.nvrtc import compile_device, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Function, Module, Variable
from devsem.lower import lower
from devsem.ops import BOOL, LIBM1, LIBM2, OPS
from devsem.profile import load_profile
from devsem.program import Param
from devsem.ptx_bits import FIRST_SITE
from devsem.ptx_symbolic import NAN_NOTE, notes, run_ptx, value_ptx
from devsem.symbolic import Stores, run, show

BUFFERS = (Param("x", "const float*"), Param("y", "float*"))
PARAMS = (*BUFFERS, Param("n", "int"), Param("a", "float"))
T = "threadIdx.x"
HEAD = """.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u32 p2, .param .f32 p3)
{ .reg .pred %p<9>; .reg .b32 %r<30>; .reg .f32 %f<30>; .reg .b64 %rd<30>; .reg .b16 %h<9>; .reg .f64 %fd<9>;
ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u32 %r2, [p2]; ld.param.f32 %f9, [p3];
cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2; mov.u32 %r1, %tid.x; mul.wide.s32 %rd5, %r1, 4;
add.s64 %rd6, %rd3, %rd5; add.s64 %rd7, %rd4, %rd5;
"""


def function(body: str) -> Function:
    return parse(f"{HEAD}{body}\nret; }}", "k.ptx").functions[0]


def shown(body: str) -> str:
    return show(run_ptx(function(body), PARAMS))


LOAD = "ld.global.f32 %f1, [%rd6]; "


@pytest.mark.parametrize(("body", "result"), [
    (LOAD + "add.f32 %f2, %f1, 0f3F800000; st.global.f32 [%rd7], %f2;", f"x@0 = x[{T}]\ny[{T}] = add_rn(x@0, 1.0)"),
    # a guard
    ("setp.ge.s32 %p1, %r1, %r2; @%p1 bra $L1; " + LOAD + "st.global.f32 [%rd7], %f1; $L1:",
     f"x@0 = x[{T}] when slt_b32({T}, n)\ny[{T}] = x@0 when slt_b32({T}, n)"),
    ("setp.lt.s32 %p1, %r1, %r2; @!%p1 bra $L1; st.global.f32 [%rd7], %f9; $L1:", f"y[{T}] = a when slt_b32({T}, n)"),
    ("setp.lt.s32 %p1, %r1, %r2; @!%p1 ret; st.global.f32 [%rd7], %f9;", f"y[{T}] = a when slt_b32({T}, n)"),
    # a join: a choice only where the values differ
    (LOAD + "mov.f32 %f2, 0f00000000; mov.f32 %f3, %f1; setp.gt.f32 %p1, %f1, %f9; @%p1 bra $L1; add.f32 %f2, %f1, %f1; $L1: mul.f32 %f4, %f2, %f3; "
     "st.global.f32 [%rd7], %f4;", f"x@0 = x[{T}]\ny[{T}] = mul_rn(select(lt(a, x@0), 0.0, add_rn(x@0, x@0)), x@0)"),
    # both sides store
    ("setp.gt.f32 %p1, %f9, 0f00000000; @%p1 bra $L1; st.global.f32 [%rd7], 0f3F800000; bra $L2; $L1: st.global.f32 [%rd7], %f9; $L2:",
     f"y[{T}] = select(lt(0.0, a), a, 1.0)"),
    # predicated instructions
    (LOAD + "setp.lt.f32 %p1, %f1, 0f00000000; @%p1 mov.f32 %f1, 0f00000000; st.global.f32 [%rd7], %f1;",
     f"x@0 = x[{T}]\ny[{T}] = select(lt(x@0, 0.0), 0.0, x@0)"),
    ("setp.lt.s32 %p1, %r1, %r2; @%p1 st.global.f32 [%rd7], %f9;", f"y[{T}] = a when slt_b32({T}, n)"),
    ("mov.f32 %f1, %f9; setp.lt.s32 %p1, %r1, %r2; @%p1 ld.global.nc.f32 %f1, [%rd6]; st.global.f32 [%rd7], %f1;",
     f"x@0 = x[{T}] when slt_b32({T}, n)\ny[{T}] = select(slt_b32({T}, n), x@0, a)"),
    # a loop of four turns
    ("mov.f32 %f2, %f9; mov.u32 %r3, 0; $L1: mul.f32 %f2, %f2, %f9; add.s32 %r3, %r3, 1; setp.ne.s32 %p1, %r3, 4; @%p1 bra $L1; st.global.f32 [%rd7], %f2;",
     f"y[{T}] = mul_rn(mul_rn(mul_rn(mul_rn(a, a), a), a), a)"),
    # memory: one cell loaded twice is one variable, a stored cell is read back, others are not
    (LOAD + "ld.global.nc.b32 %r4, [%rd6]; mov.b32 %f2, %r4; sub.f32 %f3, %f1, %f2; st.global.f32 [%rd7], %f3;", f"x@0 = x[{T}]\ny[{T}] = sub_rn(x@0, x@0)"),
    ("st.global.f32 [%rd7], %f9; ld.global.f32 %f1, [%rd7]; add.f32 %f1, %f1, %f1; st.global.f32 [%rd7], %f1;", f"y[{T}] = add_rn(a, a)"),
    ("st.global.u32 [%rd7], 1065353216;", f"y[{T}] = 1.0"),
    # addresses
    ("ld.global.f32 %f1, [%rd6+8]; st.global.f32 [%rd7], %f1;", f"x@0 = x[add_b64(sext({T}), 2)]\ny[{T}] = x@0"),
    ("mad.wide.s32 %rd8, %r1, 4, %rd3; ld.global.f32 %f1, [%rd8]; st.global.f32 [%rd7], %f1;", f"x@0 = x[{T}]\ny[{T}] = x@0"),
    ("cvt.s64.s32 %rd8, %r1; shl.b64 %rd9, %rd8, 2; add.s64 %rd10, %rd9, %rd3; ld.global.f32 %f1, [%rd10]; st.global.f32 [%rd7], %f1;",
     f"x@0 = x[{T}]\ny[{T}] = x@0"),
    ("ld.global.v2.f32 {%f1, %f2}, [%rd3]; st.global.v4.f32 [%rd4], {%f2, %f1, %f2, %f9};",
     "x@0 = x[0]\nx@1 = x[1]\ny[0] = x@1\ny[1] = x@0\ny[2] = x@1\ny[3] = a"),
    # one of two places
    ("setp.lt.s32 %p1, %r1, %r2; selp.b64 %rd8, %rd6, %rd7, %p1; ld.global.f32 %f1, [%rd8]; st.global.f32 [%rd7], %f1;",
     f"x@0 = x[{T}] when slt_b32({T}, n)\ny@0 = y[{T}] when sle_b32(n, {T})\ny[{T}] = select(slt_b32({T}, n), x@0, y@0)"),
    ("setp.lt.s32 %p1, %r1, %r2; mov.u64 %rd8, %rd6; @%p1 mov.u64 %rd8, %rd7; st.global.f32 [%rd8], %f9;",
     f"y[{T}] = a when slt_b32({T}, n)\nx[{T}] = a when sle_b32(n, {T})"),
    # 16-bit floats
    ("cvt.rn.f16.f32 %h1, %f9; cvt.f32.f16 %f1, %h1; st.global.f32 [%rd7], %f1;", f"y[{T}] = round_f16(a)"),
    # bits: of a number that arithmetic made, of what bits made, and of constants
    (LOAD + "mul.f32 %f2, %f1, %f1; mov.b32 %r4, %f2; add.s32 %r5, %r4, 1; mov.b32 %f3, %r5; st.global.f32 [%rd7], %f3;",
     f"x@0 = x[{T}]\ny[{T}] = of_bits(add_b32(bits_of(mul_rn(x@0, x@0)), 1))"),
    (LOAD + "mov.b32 %r4, %f1; and.b32 %r5, %r4, 2147483647; mov.b32 %f3, %r5; st.global.f32 [%rd7], %f3;", f"x@0 = x[{T}]\ny[{T}] = abs(x@0)"),
    (LOAD + "mov.b32 %r4, %f1; xor.b32 %r5, %r4, -2147483648; mov.b32 %f3, %r5; st.global.f32 [%rd7], %f3;", f"x@0 = x[{T}]\ny[{T}] = neg(x@0)"),
    ("mov.f32 %f1, 0f7FC00000; mov.b32 %r4, %f1; shr.u32 %r5, %r4, 23; cvt.rn.f32.s32 %f2, %r5; st.global.f32 [%rd7], %f2;", f"y[{T}] = 255.0"),
    (LOAD + "mul.f32 %f2, %f1, %f1; copysign.f32 %f3, %f2, %f9; st.global.f32 [%rd7], %f3;", f"x@0 = x[{T}]\ny[{T}] = copysign(a, mul_rn(x@0, x@0))"),
])
def test_by_hand(body: str, result: str) -> None:
    assert shown(body) == result


def test_a_nan_that_was_loaded_has_any_bits() -> None:
    """Under the key of its parameter and load; a choice keeps the bits of either side; what `neg` makes of a NaN is another one."""
    body = "mov.b32 %r4, %f2; add.s32 %r5, %r4, 1; mov.b32 %f3, %r5; st.global.f32 [%rd7], %f3;"
    word = "select_b32(is_nan({0}), D.nan_bits({1}, {0}), bits_of({0}))"
    out = f"y[{T}] = of_bits(add_b32({{}}, 1))"
    assert shown("mov.f32 %f2, %f9; " + body) == out.format(word.format("a", 3))
    assert shown(LOAD + "mov.f32 %f2, %f1; " + body).endswith(out.format(word.format("x@0", 0)))
    second = "ld.global.f32 %f1, [%rd6]; ld.global.f32 %f2, [%rd6+4]; "
    assert shown(second + body).endswith(out.format(word.format("x@1", 4096)))
    assert shown("neg.f32 %f2, %f9; " + body) == out.format(word.format("neg(a)", FIRST_SITE))
    unused = "neg.f32 %f4, %f9; abs.f32 %f5, %f9; "      # what is not used takes no number
    assert shown(unused + "neg.f32 %f2, %f9; " + body) == out.format(word.format("neg(a)", FIRST_SITE))
    chosen = "setp.lt.s32 %p1, %r1, %r2; add.f32 %f4, %f9, %f9; selp.f32 %f2, %f9, %f4, %p1; "
    assert shown(chosen + body) == out.format(f"select_b32(slt_b32({T}, n), {word.format('a', 3)}, bits_of(add_rn(a, a)))")


def test_the_sign_of_a_nan_that_was_loaded_is_not_known() -> None:
    sign = "select(is_nan(a), select(slt_b32(D.nan_bits(3, a), 0), neg(abs(x@0)), abs(x@0)), copysign(x@0, a))"
    assert shown(LOAD + "copysign.f32 %f3, %f9, %f1; st.global.f32 [%rd7], %f3;") == f"x@0 = x[{T}]\ny[{T}] = {sign}"


def test_the_value_of_a_kernel_with_one_store() -> None:
    f = function(LOAD + "setp.lt.s32 %p1, %r1, %r2; @!%p1 ret; sqrt.rn.f32 %f2, %f1; st.global.f32 [%rd7], %f2;")
    assert repr(value_ptx(f, PARAMS)) == "sqrt_rn(x@0)"
    with pytest.raises(Rejected, match="has 2 stores"):
        value_ptx(function("st.global.f32 [%rd7], %f9; st.global.f32 [%rd7+4], %f9;"), PARAMS)


def test_notes_say_what_is_assumed() -> None:
    assert notes(run_ptx(function("mul.f32 %f1, %f9, %f9; mov.b32 %r4, %f1; add.s32 %r4, %r4, 1; st.global.b32 [%rd7], %r4;"), PARAMS)) == (NAN_NOTE,)
    assert notes(run_ptx(function("cvt.sat.f32.f32 %f1, %f9; mov.b32 %r4, %f1; add.s32 %r4, %r4, 1; st.global.b32 [%rd7], %r4;"), PARAMS)) == ()
    assert notes(run_ptx(function("mul.f32 %f1, %f9, %f9; st.global.f32 [%rd7], %f1;"), PARAMS)) == ()
    assert notes(run_ptx(function("sub.f32 %f1, %f9, %f9; copysign.f32 %f2, %f1, %f9; st.global.f32 [%rd7], %f2;"), PARAMS)) == (NAN_NOTE,)


@pytest.mark.parametrize(("body", "code"), [
    ("bar.sync 0;", "threads"), ("shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;", "threads"), ("membar.gl;", "threads"),
    ("atom.global.add.f32 %f1, [%rd7], %f9;", "atomic"),
    ("red.global.add.f32 [%rd7], %f9;", "atomic"), ("ld.shared.f32 %f1, [%rd7];", "shared"), ("st.local.f32 [%rd7], %f9;", "local"),
    ("cvta.to.shared.u64 %rd8, %rd7;", "shared"), ("mov.u32 %r4, %tid.y;", "special"), ("mov.u32 %r4, %laneid;", "special"),
    ("add.f32 %f2, %f1, %f1;", "unset"),
    ("ld.global.f64 %fd1, [%rd7];", "f64"), ("ld.volatile.global.f32 %f1, [%rd7];", "instruction"), ("ld.global.u8 %h1, [%rd7];", "instruction"),
    ("ld.global.f32 %f1, [%rd5];", "address"), ("ld.global.f32 %f1, [%rd6+2];", "address"), ("add.s64 %rd8, %rd3, 6; ld.global.f32 %f1, [%rd8];", "address"),
    ("cvt.s64.s32 %rd8, %r1; add.s64 %rd9, %rd3, %rd8; ld.global.f32 %f1, [%rd9];", "address"), ("add.s64 %rd8, %rd3, %rd4;", "pointer"),
    ("mul.lo.s64 %rd8, %rd3, 2;", "pointer"), ("setp.eq.s64 %p1, %rd3, 0;", "pointer"),
    ("setp.lt.s32 %p1, %r1, %r2; selp.b64 %rd8, %rd3, %rd5, %p1;", "pointer"),
    ("setp.lt.s32 %p1, %r1, %r2; mov.u64 %rd8, %rd3; @%p1 mov.u64 %rd8, 0; ld.global.f32 %f1, [%rd8];", "address"),
    ("st.global.u64 [%rd7], %rd5;", "instruction"), ("sub.s64 %rd8, %rd5, %rd3;", "pointer"), ("ld.param.f32 %f1, [p3+4];", "parameter"),
    ("ld.param.u64 %rd8, [p2];", "parameter"), ("ld.param.f32 %f1, [p2];", "parameter"), ("ld.param.u32 %r3, [p0];", "parameter"),
    ("add.f32 !%p1, %f9, %f9;", "kind"), ("st.global.f32 [%rd7];", "operands"), ("ld.global.f32 %f1, [%rd6], %f9;", "operands"),
    ("mov.f32 %f1, 1;", "kind"), ("add.s32 %r3, %r1, 0f3F800000;", "kind"), ("add.f32 %f1, %f9, %p1;", "unset"), ("not.pred %p1, %r1;", "kind"),
    ("add.s64 %rd8, %rd5, %r1;", "kind"), ("cvt.f32.f16 %f1, %r1;", "kind"), ("popc.b32 %r3, %r1;", "instruction"), ("mov.u32 %r4, %clock;", "special"),
    ("ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd6+4], %f1;", "alias"),
    ("$L1: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra $L1;", "loop"),
    ("mov.u32 %r3, 0; $L1: add.s32 %r3, %r3, 1; setp.ne.s32 %p1, %r3, 100000; @%p1 bra $L1;", "size"),
    ("setp.lt.s32 %p1, %r1, %r2; @%p1 mov.f32 %f1, %f9; add.f32 %f2, %f1, %f1;", "unset"),
])
def test_refused_by_name_and_line(body: str, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        shown(body.replace(";", ";\n"))
    found = caught.value.rejections[0]
    assert found.code == f"ptx.{code}" and found.where.file == "k.ptx" and found.where.line > 8


# --- what NVRTC makes ---

KERNELS = {
    "relu": "fmaxf(a, 0.0f)", "ternary": "a > 0.0f ? a : 0.0f", "nan_relu": "a <= 0.0f ? 0.0f : a", "leaky": "a < 0.0f ? 0.01f * a : a",
    "axpb": "1.5f * a + 0.25f", "clamp": "fminf(fmaxf(a, -1.0f), 1.0f)", "saturate": "__saturatef(a)", "ratio": "a / (1.0f + fabsf(a))",
    "root": "1.0f / sqrtf(a * a + 1.0f)", "rounds": "rintf(a) + floorf(a) - ceilf(a) * truncf(a)", "round": "roundf(a)", "select": "isnan(a) ? 1.0f : -a",
    "comparison": "a != a || a > 2.0f ? 3.0f : a * a", "fma": "fmaf(a, a, -1.0f)", "hard": "fminf(fmaxf(a + 3.0f, 0.0f), 6.0f) / 6.0f * a",
}
BRANCHES = {
    "branches": "float r = a; if (a > 1.0f) { r = a * a; if (a > 3.0f) r = r - 2.0f / a; } else if (a < -1.0f) { r = sqrtf(-a) + 1.0f; } y[i] = r;",
    "two": "if (a > 1.0f && a < 2.0f) y[i] = a + 1.0f; else y[i] = a - 1.0f;", "early": "if (a < 0.0f) { y[i] = -1.0f; return; } y[i] = a / 3.0f;",
    "flag": "y[i] = flag ? a * a : a;", "flags": "y[i] = flag && a > 0.0f ? a * 3.0f : a + (float)flag;",
    "choice": "y[i] = a > 0.0f ? x[i] : y[i];", "again": "y[i] = a; y[i] *= a; if (y[i] > 2.0f) y[i] -= 1.0f;",
    "loop": "float s = 0.0f; for (int k = 0; k < 5; ++k) s = s * a + 0.5f; y[i] = s;",
}
ARCHS = ("sm_90", pytest.param("sm_100", marks=pytest.mark.slow))
START = "const float* x, float* y, int n, bool flag) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { float a = x[i]; "
INDEX = "add_b32(mul_b32(blockIdx.x, blockDim.x), threadIdx.x)"


def kernel(name: str, body: str) -> str:
    return f'extern "C" __global__ void k_{name}({START}{body} }} }}\n'


def source() -> dict[str, str]:
    return {name: kernel(name, f"y[i] = {e};") for name, e in KERNELS.items()} | {name: kernel(name, b) for name, b in BRANCHES.items()}


@cache
def compiled(text: str, arch: str, flags: str) -> Module:
    return parse(compile_device(text, file="k.cu", arch=arch, options=nvrtc_options(flags)).ptx, "k.ptx")


def stores(text: str, name: str, arch: str = "sm_90", flags: str = "") -> Stores:
    module = compiled(text, arch, flags)
    (f,) = (f for f in module.functions if f.name == f"k_{name}")
    inputs = (Param("x", "const float*"), Param("z", "const float*"))[:len(f.params) - 3]
    return run_ptx(f, (*inputs, Param("y", "float*"), Param("n", "int"), Param("flag", "bool")), module.variables)


def differing(left: Expr, right: Expr, x: np.ndarray) -> list[str]:
    """Inputs at which two expressions of x, y and a flag differ."""
    functions = {row: libm.nominal(row) for row in OPS if row.startswith("D.")}
    env = {v: x >> 5 & 1 == 1 if v.sort == BOOL else x[::-1] if v.name == "y@0" else x for v in variables(left, right)}
    a, b = (np.broadcast_to(evaluate([e], env, functions)[0], x.shape) for e in (left, right))
    return [hex(p) for p in x[a != b][:5].tolist()]


@pytest.mark.parametrize("name", [*KERNELS, *BRANCHES])
@pytest.mark.parametrize("arch", ARCHS)
def test_without_fusion_both_readings_are_one_function(name: str, arch: str) -> None:
    found = stores("".join(source().values()), name, arch, "-fmad=false")
    as_written = source()[name].replace("for (int k = 0; k < 5; ++k) s = s * a + 0.5f;", "s = s * a + 0.5f; " * 5)
    written = run(parse_kernel("k.cu", as_written))
    assert len(found.stores) == len(written.stores) == 1 and [(x.buffer, x.index) for x in found.loads] == [(x.buffer, x.index) for x in written.loads]
    (store,), (other,) = found.stores, written.stores
    assert (store.buffer, store.index, store.guard) == (other.buffer, other.index, other.guard) and repr(store.index) == INDEX
    x = np.concatenate([SPECIALS, patterns(seed(), 100_000)])
    profile = load_profile("h100" if arch == "sm_90" else "b200", "-fmad=false")
    assert differing(store.value, lower(other.value, profile, ()), x) == []


def test_a_sigmoid_shows_what_was_fused() -> None:
    text = kernel("sigmoid", "y[i] = 1.0f / (1.0f + expf(-a));")
    value = stores(text, "sigmoid").stores[0].value
    assert value.op == "div_rn" and repr(value.args[0]) == "1.0" and value.args[1].op == "fma_rn"      # the last product of expf and the sum
    assert {n.op for n in topo(value) if n.op.startswith("D.")} == {"D.ex2_approx_ftz"}


def test_four_elements_a_thread() -> None:
    text = ('extern "C" __global__ void v(const float4* x, float4* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;\n'
            "if (i < n) { float4 a = x[i]; a.x += 1.0f; a.y *= 2.0f; a.z = -a.z; a.w = a.x; y[i] = a; } }")
    found = run_ptx(compiled(text, "sm_90", "").functions[0], (*BUFFERS, Param("n", "int")))
    assert [repr(y.value) for y in found.stores] == ["add_rn(x@0, 1.0)", "add_rn(x@1, x@1)", "neg(x@2)", "add_rn(x@0, 1.0)"]
    assert {repr(y.guard) for y in found.stores} == {f"slt_b32({INDEX}, n)"}
    at = dict.fromkeys(variables(*(y.index for y in found.stores)), np.array([5], np.uint32))
    i = 5 * 5 + 5
    assert [int(evaluate([y.index], at)[0][0]) for y in found.stores] == [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]


def test_an_array_of_the_thread() -> None:
    """Words at fixed places are kept; a place that is computed is refused, except in libdevice's reduction of huge angles."""
    array = ".local .align 4 .b8 depot[8]; mov.u64 %rd20, depot; st.local.f32 [%rd20+4], %f9; st.local.u32 [%rd20], %rd5; "
    assert shown(array + "ld.local.f32 %f1, [%rd20+4]; st.global.f32 [%rd7], %f1;") == f"y[{T}] = a"
    for wrong in ("ld.local.f32 %f1, [%rd20+8];", "add.s64 %rd21, %rd20, %rd5; ld.local.f32 %f1, [%rd21];", "ld.global.f32 %f1, [%rd20];",
                  "ld.local.v2.f32 {%f1, %f2}, [%rd20];", "ld.local.f32 %f1, [%rd7];", "add.s64 %rd21, %rd20, %rd5; st.local.f32 [%rd21], %f9;"):
        with pytest.raises(Rejected, match=r"\[ptx.local\]"):
            shown(array + wrong)


def test_doubles_are_refused_but_for_the_angle() -> None:
    angle = "cvt.rn.f64.s64 %fd1, %rd5; mul.f64 %fd2, %fd1, 0d3BF921FB54442D19; cvt.rn.f32.f64 %f1, %fd2; st.global.f32 [%rd7], %f1;"
    assert shown(angle) == f"y[{T}] = angle_to_f32(mul_b64(sext({T}), 4))"
    for wrong in (angle.replace("D19;", "D18;"), angle.replace("%fd2;", "%fd1;"),
                  angle.replace("%fd2, %fd1,", "%fd2, %fd3,"), angle.replace("rn.f64", "rz.f64"),
                  angle.replace("cvt.rn.f32.f64", "cvt.rz.f32.f64"), angle.replace("mul.f64", "add.f64")):
        with pytest.raises(Rejected, match=r"\[ptx.f64\]"):
            shown(wrong)


def test_a_users_table_is_no_table_of_constants() -> None:
    data = (65, 144, 67, 60, 153, 149, 98, 219, 192, 221, 52, 245, 209, 87, 39, 252, 41, 21, 68, 78, 110, 131, 249, 162)
    f = function("mov.u64 %rd20, __cudart_i2opi_f; ld.global.nc.f32 %f1, [%rd20+4]; st.global.f32 [%rd7], %f1;")
    table = Variable("__cudart_i2opi_f", "b8", 24, "global", 4, data)
    assert show(run_ptx(f, PARAMS, (table,))) == f"y[{T}] = {show_const(bits(0xDB629599))}"
    for other in (replace(table, data=data[:-1] + (0,)), replace(table, type="u8"), replace(table, external=True), replace(table, name="t")):
        with pytest.raises(Rejected, match=r"\[ptx.address\]"):
            run_ptx(f, PARAMS, (other,))


# --- the math library ---

ONE, TWO = "extern \"C\" __global__ void k_{f}({start}y[i] = {f}(a); }} }}\n", "extern \"C\" __global__ void k_{f}({start}y[i] = {f}(a, z[i]); }} }}\n"
MATH = "".join([ONE.format(f=f, start=START) for f in LIBM1] + [TWO.format(f=f, start=START.replace("float* y", "const float* z, float* y")) for f in LIBM2])
REFUSED = {"fmodf": "ptx.loop"}


@pytest.mark.parametrize("f", [*LIBM1, *LIBM2])
@pytest.mark.parametrize("arch", ARCHS)
def test_bodies_of_the_math_library(f: str, arch: str) -> None:
    """A body, its approximate instructions taken as rounded, is near numpy's function, and exactly it at special values."""
    if f in REFUSED:
        with pytest.raises(Rejected) as caught:
            stores(MATH, f, arch)
        assert caught.value.rejections[0].code == REFUSED[f]
        return
    value = stores(MATH, f, arch).stores[0].value
    rng = np.random.default_rng(seed())
    names = sorted(variables(value), key=lambda v: v.name)
    middling = rng.uniform(-9, 9, 300).astype(np.float32).view(np.uint32)
    large = rng.integers(0x47000000, 0x7F800000, 100 if f in ("sinf", "cosf", "tanf") else 1, dtype=np.uint32)     # where their reduction is another
    env = {v: rng.permutation(np.concatenate([SPECIALS, SPECIALS, SPECIALS, middling, large])) for v in names}
    functions = {row: libm.nominal(row) for row in OPS if row.startswith("D.")}
    got = evaluate([value], env, functions)[0]
    bad = []
    for k, args in enumerate(zip(*(x.tolist() for x in env.values()), strict=True)):
        allowed = libm.allowed(f"D.{f}", args)
        if allowed is not None and int(got[k]) not in allowed:
            bad.append((f, [hex(a) for a in args], hex(got[k]), [hex(a) for a in allowed]))
    assert bad[:5] == []
