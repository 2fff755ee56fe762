"""Wrappers as plans: sizes, launches, tensors, checks and refusals. What each row expects was worked out by hand."""

from __future__ import annotations

import re

import pytest

from devsem.errors import Rejected
from devsem.expr import const
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.host import Wrapped, read_wrapper
from devsem.frontend.spec import SpecInput
from devsem.plan import Impossible, dims_at, instantiate, size_of, unmet
from devsem.program import show

HEAD = """#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#define CHECK_INPUT(x) TORCH_CHECK(x.is_cuda(), #x " must be on the GPU"); TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")
__global__ void k(const float* x, float* y, int n, float a) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i]; }
template <int B> __global__ void t(const float* x, float* y, int n) { int i = blockIdx.x * B + threadIdx.x; if (i < n) y[i] = x[i]; }
template <typename T> __global__ void s(const T* x, T* y, long long n) { long long i = blockIdx.x; if (i < n) y[i] = x[i]; }
"""
ROWS = len(HEAD.splitlines())
X = SpecInput("x", "input", (6, 8))


def plan(body: str, *, inputs: tuple[SpecInput, ...] | None = (X,), signature: str = "torch::Tensor f(torch::Tensor x)", more: str = "") -> Wrapped:
    return read_wrapper("k.cu", f"{HEAD}{more}{signature} {{\n{body}\n}}", inputs)


LAUNCH = "k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f); return y;"


def at(found: Wrapped, *sizes: int) -> dict[str, object]:
    """The first launch at sizes of x."""
    made = instantiate(found.plan, {size_of("x", i): n for i, n in enumerate(sizes)})
    assert not isinstance(made, Impossible), made
    return {"grid": made[0].grid, "block": made[0].block, "scalars": dict(made[0].scalars), "elements": {k: e.elements for k, e in made[0].buffers.items()}}


def test_the_usual_wrapper() -> None:
    found = plan(f"CHECK_INPUT(x); auto y = torch::empty_like(x); const int n = x.numel(); {LAUNCH}")
    assert at(found, 6, 100) == {"grid": (3, 1, 1), "block": (256, 1, 1), "scalars": {"n": 600, "a": const(2.0)}, "elements": {"x": 600, "y": 600}}
    assert (found.plan.results, found.plan.conditions, found.plan.bindings) == (("y",), (), {"x": "x"})


def test_an_int_is_32_bits_wide() -> None:
    found = plan(f"auto y = torch::empty_like(x); const int n = x.numel(); {LAUNCH}")
    made = instantiate(found.plan, {size_of("x", 0): 1 << 16, size_of("x", 1): 1 << 16})
    assert isinstance(made, Impossible) and "grid of 0" in made.why     # n is 0, as C has it
    wide = plan("auto y = torch::empty_like(x); auto n = x.numel(); s<float><<<n / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n); return y;")
    assert at(wide, 1 << 16, 1 << 16)["grid"] == (1 << 24, 1, 1)


@pytest.mark.parametrize(("text", "grid", "block"), [
    ("dim3 g((N + 15) / 16, (M + 15) / 16), b(16, 16); k<<<g, b>>>", (1, 1, 1), (16, 16, 1)),
    ("dim3 b(32); dim3 g; g.x = M; g.y = N; k<<<g, b, 0, at::cuda::getCurrentCUDAStream()>>>", (6, 8, 1), (32, 1, 1)),
    ("const dim3 g = dim3(M, 2, N); k<<<g, 1024>>>", (6, 2, 8), (1024, 1, 1)),
    ("int b = std::min(256, N); k<<<std::max(M, 3), b>>>", (6, 1, 1), (8, 1, 1)),
    ("int b = N > 4 ? 4 : N; k<<<M, b>>>", (6, 1, 1), (4, 1, 1)),
    ("int b = 1; while (b < N) b *= 2; k<<<M, b>>>", (6, 1, 1), (8, 1, 1)),
    ("int g = 0; for (int i = 0; i < 5; ++i) g += i; k<<<g, 1>>>", (10, 1, 1), (1, 1, 1)),
    ("int g = (int)ceil((float)N / 3); k<<<g, 1>>>", (3, 1, 1), (1, 1, 1)),
    ("unsigned g = M << 2 | 1; k<<<g, -1 + 2>>>", (25, 1, 1), (1, 1, 1)),
    ("const at::cuda::OptionalCUDAGuard guard(device_of(x)); k<<<M, 1>>>", (6, 1, 1), (1, 1, 1)),
])
def test_grid_and_block(text: str, grid: tuple[int, ...], block: tuple[int, ...]) -> None:
    found = plan(f"auto y = torch::empty_like(x); int M = x.size(0), N = x.size(-1); {text}(x.data_ptr<float>(), y.data_ptr<float>(), 48, 1.0f); return y;")
    got = at(found, 6, 8)
    assert (got["grid"], got["block"]) == (grid, block)
    assert unmet(found.plan, {size_of("x", 0): 6, size_of("x", 1): 8}) is None


def test_a_branch_on_sizes_is_a_precondition() -> None:
    body = """auto y = torch::empty_like(x); int n = x.numel();
        if (n % 4 == 0) k<<<n / 4, 1>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 1.f);
        else k<<<n, 1>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 1.f);
        return y;"""
    found = plan(body)
    assert at(found, 6, 8)["grid"] == (12, 1, 1)
    assert [c.text for c in found.plan.conditions] == ["n % 4 == 0"]
    assert unmet(found.plan, {size_of("x", 0): 3, size_of("x", 1): 3}) is found.plan.conditions[0]
    other = plan(body, inputs=(SpecInput("x", "input", (3, 3)),))
    assert at(other, 3, 3)["grid"] == (9, 1, 1) and [c.text for c in other.plan.conditions] == ["not (n % 4 == 0)"]


def test_float_arithmetic_on_sizes_fixes_them() -> None:
    found = plan("auto y = torch::empty_like(x); int n = x.numel(); k<<<n, 1>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 1.0f / x.size(1)); return y;")
    assert at(found, 6, 8)["scalars"] == {"n": 48, "a": const(0.125)}
    assert unmet(found.plan, {size_of("x", 0): 6, size_of("x", 1): 9}) is not None


def test_a_vector_of_floats_is_a_pointer_to_its_first() -> None:
    body = "auto y = torch::empty_like(x); v<<<1, 1>>>((const float4*)x.data_ptr<float>(), reinterpret_cast<float2*>(y.data_ptr<float>())); return y;"
    found = plan(body, more="__global__ void v(const float4* x, float2* y) {}\n")
    assert found.plan.launches[0].arguments == ("x", "y")


def test_kernels_are_chained_through_memory() -> None:
    found = plan("""auto h = torch::zeros({x.size(0)}, x.options());
        auto y = torch::empty({x.size(0), 1}, torch::TensorOptions().dtype(torch::kFloat32).device(x.device()));
        t<64><<<1, 64>>>(x.data_ptr<float>(), h.data_ptr<float>(), 3);
        AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "f", ([&] { s<scalar_t><<<2, 32>>>(h.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), h.numel()); }));
        cudaError_t e = cudaGetLastError(); if (e != cudaSuccess) { printf("%s", cudaGetErrorString(e)); throw std::runtime_error("no"); }
        C10_CUDA_KERNEL_LAUNCH_CHECK(); return y.view({-1});""")
    assert [(q.function, q.template, q.arguments[:2]) for q in found.plan.launches] == [("t", ("64",), ("x", "h")), ("s", ("float",), ("h", "y"))]
    assert [(m.name, m.initial) for m in found.plan.tensors] == [("x", "input"), ("h", "zeros"), ("y", "empty")]
    assert [dims_at(d, {size_of("x", 0): 6, size_of("x", 1): 8}) for d in found.plan.shapes] == [(6,)]


def test_template_arguments_are_said_as_c_reads_them() -> None:
    more = """enum class Op { ADD, MUL };
        template <bool F, Op O, unsigned long long N, int I> __global__ void q(const float* x, float* y) { if (F && O == Op::MUL && I < 0) y[0] = (float)N; }
        """
    found = plan("""auto y = torch::empty_like(x); q<true, Op::MUL, 0xffffffffffffffffull, -3><<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>());
        q<false, Op::ADD, 0, 1><<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>()); return y;""", more=more)
    assert [q.template for q in found.plan.launches] == [("true", "(Op)1", "18446744073709551615", "-3"), ("false", "(Op)0", "0", "1")]
    text = f"{HEAD}{more}"
    read = [show(parse_kernel("k.cu", text, "q", q.template)) for q in found.plan.launches]
    assert ["if true" in t for t in read] == [True, False] and "y[0] = 1.8446744e+19" in read[0]


def test_a_wrapper_without_a_spec_says_its_rank_itself() -> None:
    found = plan(f'TORCH_CHECK(x.dim() == 3, "three"); auto y = torch::empty_like(x); int n = x.numel(); {LAUNCH}', inputs=None)
    assert len(found.plan.tensor("x").dims) == 3
    sized = plan(f"auto y = torch::empty_like(x); int n = x.size(0) * x.size(1); {LAUNCH}", inputs=None)
    assert len(sized.plan.tensor("x").dims) == 2


def test_a_void_wrapper_writes_its_result() -> None:
    found = plan("k<<<1, 32>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.numel(), a);", signature="void f(torch::Tensor x, torch::Tensor out, float a)",
                 inputs=None)
    assert found.plan.results == ("out",) and found.plan.tensor("out").initial == "empty"
    assert found.plan.launches[0].arguments[3] is not None and found.plan.bindings == {"x": "x"}


def test_python_s_names_choose_the_wrapper() -> None:
    more = "torch::Tensor g(torch::Tensor x) { auto y = torch::zeros_like(x); k<<<7, 1>>>(x.data_ptr<float>(), y.data_ptr<float>(), 7, 1.f); return y; }\n"
    tail = '}\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &f, "the one"); '
    found = plan(f"auto y = torch::empty_like(x); int n = x.numel(); {LAUNCH}{tail}", more=more)
    assert found.plan.launches[0].where.line == ROWS + 3
    with pytest.raises(Rejected, match=r"several functions launch kernels: g, f"):
        plan(f"auto y = torch::empty_like(x); int n = x.numel(); {LAUNCH}", more=more)


REFUSED = [
    ("auto y = torch::relu(x); int n = 3; " + LAUNCH, "host.syntax", "relu"),
    ("auto y = torch::empty_like(x); y.mul_(2); int n = 3; " + LAUNCH, "host.syntax", "mul_"),
    ("float* p; cudaMalloc(&p, 4); auto y = torch::empty_like(x); int n = 3; " + LAUNCH, "host", "cudaMalloc"),
    ("auto y = torch::empty({3}); int n = 3; " + LAUNCH, "host.value", "processor's memory"),
    ("auto y = torch::empty({3}, x.options().dtype(torch::kHalf)); int n = 3; " + LAUNCH, "host.dtype", "Half"),
    ('auto y = torch::empty_like(x); int n = x.numel(); TORCH_CHECK(n == 5, "five"); ' + LAUNCH, "host.check", "n == 5"),
    ('auto y = torch::empty_like(x); int n = x.numel(); if (n == 48) throw std::runtime_error("no"); ' + LAUNCH, "host.throws", ""),
    ("auto y = torch::empty_like(x); int n; " + LAUNCH, "host.variable", "`n` is read before"),
    ("auto y = torch::empty_like(x); static int n = 3; " + LAUNCH, "host.variable", "static"),
    ("auto y = torch::empty_like(x); int n = 0; while (true) n++; " + LAUNCH, "host.loop", ""),
    ("auto y = x.clone(); int n = x.numel() / (x.size(0) - 6); " + LAUNCH, "host.check", "is not zero"),
    ("auto y = torch::empty_like(x); k<<<1, 1>>>(x.data_ptr<float>() + 1, y.data_ptr<float>(), 1, 1.f); return y;", "host.value", ""),
    ("auto y = torch::empty_like(x); k<<<1, 1>>>((float*)x.data_ptr<int>(), y.data_ptr<float>(), 1, 1.f); return y;", "host.dtype", "int"),
    ("auto y = torch::empty_like(x); k<<<1, 1>>>((float*)(int4*)x.data_ptr<float>(), y.data_ptr<float>(), 1, 1.f); return y;", "host.pointer", "int4"),
    ("auto y = torch::empty_like(x); k<<<1, 1>>>(nullptr, y.data_ptr<float>(), 1, 1.f); return y;", "host.value", "null pointer"),
    ("return x;", "host.none", ""),
    ("return f(x);", "host.none", ""),
    ("auto y = torch::empty_like(x); auto go = [&](int n) { k<<<n, 1>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 1.f); }; go(3); return y;", "host", ""),
]


@pytest.mark.parametrize(("body", "code", "text"), REFUSED)
def test_what_is_refused(body: str, code: str, text: str) -> None:
    with pytest.raises(Rejected) as found:
        plan(body)
    first = found.value.rejections[0]
    assert first.code.startswith(code) and re.search(re.escape(text), first.message), str(first)
    assert first.where.line == ROWS + 2 or first.code in ("host.none", "host.check")
