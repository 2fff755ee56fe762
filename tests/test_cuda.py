"""CUDA text to Program: what is accepted, and exactly which program it becomes. The expected texts are written by hand."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from devsem.errors import UsageError
from devsem.expr import bits, const, mk, var
from devsem.frontend.cuda import parse_kernel
from devsem.ops import BY_C, F32
from devsem.program import Program, Store, show

HEAD = 'extern "C" __global__ void k(const float* x, float* y, int n, float a) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n'
SHOWN = "kernel k(const float* x, float* y, int n, float a)\n  i = add_b32(mul_b32(blockIdx.x, blockDim.x), threadIdx.x)\n"


def body(text: str, before: str = "") -> str:
    """What the statements become, without the first two lines."""
    shown = show(parse_kernel("k.cu", f"{before}\n{HEAD}{text}\n}}\n"))
    assert shown.startswith(SHOWN)
    return shown[len(SHOWN):]


def stored(expression: str) -> Program:
    return parse_kernel("k.cu", f"{HEAD}y[i] = {expression};\n}}\n")


def lines(text: str, margin: str = "  ") -> str:
    """A text of this file with another margin."""
    return indent(dedent(text).strip("\n "), margin)


def test_a_whole_kernel() -> None:
    text = """
    #include <cuda_runtime.h>
    #include <cublas_v2.h>
    #include <ctime>
    #define cudaCheckErrors(x) do { x; } while (0)
    #include <cmath>
    // Leaky ReLU
    __device__ __forceinline__ float leaky(float v, float slope) { return v >= 0.0f ? v : slope * v; }
    __global__ void __launch_bounds__(256) act(const float* __restrict__ in, float* __restrict__ out, int size) {
      const int idx = threadIdx.x + blockDim.x * blockIdx.x;
      if (idx < size) {
        out[idx] = leaky(in[idx], 0.01f);
      }
    }
    int main() {
      float *d; cudaMalloc(&d, 400);
      act<<<1, 100>>>(d, d, 100);
      return undeclared_in_host_code;
    }
    """
    assert show(parse_kernel("act.cu", text)) == lines("""
    kernel act(const float* in, float* out, int size)
      idx = add_b32(threadIdx.x, mul_b32(blockDim.x, blockIdx.x))
      if slt_b32(idx, size)
        in@0 = in[idx]
        leaky() = inline leaky
          v = in@0
          slope = 0.01
          return select(w_le(0.0, v), v, w_mul(slope, v))
        out[idx] = leaky()
    """, "")


@pytest.mark.parametrize(("c", "shown"), [
    # C's precedence and association
    ("a * a * a", "w_mul(w_mul(a, a), a)"),
    ("a - a - a", "w_sub(w_sub(a, a), a)"),
    ("a + a * a", "w_add(a, w_mul(a, a))"),
    ("-a / +a", "w_div(w_neg(a), a)"),
    ("-(a - 1.0f)", "w_neg(w_sub(a, 1.0))"),
    # literals
    ("2 * a", "w_mul(2.0, a)"),
    ("a + 0x1.8p1f", "w_add(a, 3.0)"),
    ("a + true", "w_add(a, 1.0)"),
    ("a * 1e-45f", "w_mul(a, 1e-45)"),
    ("a * 16777217", "w_mul(a, 16777216.0)"),
    ("a * 4294967295u", "w_mul(a, 4.2949673e+09)"),
    ("a * (float)0.1", "w_mul(a, 0.1)"),
    ("a * float(M_PI / 2)", "w_mul(a, 1.5707964)"),
    ("fmaxf(a, 0.0)", "w_max(a, 0.0)"),
    # the text's own constants are computed as IEEE says; what would be NaN stays
    ("a * (1.0f / 6.0f)", "w_mul(a, 0.16666667)"),
    ("a + -1.5f", "w_add(a, -1.5)"),
    ("a + -0.0f", "w_add(a, -0.0)"),
    ("a + 0.0f / 0.0f", "w_add(a, w_div(0.0, 0.0))"),
    ("a + 1.0f / 0.0f", "w_add(a, inf)"),
    ("a + 1e38f * 1e38f", "w_add(a, inf)"),
    ("a + (1e-40f * 2.0f)", "w_add(a, 1.99999e-40)"),
    ("a + INFINITY", "w_add(a, inf)"),
    ("a + NAN", "w_add(a, nan)"),
    ("a + FLT_MAX", "w_add(a, 3.4028235e+38)"),
    ("a + 7 / 2", "w_add(a, 3.0)"),
    ("a + -7 % 3", "w_add(a, -1.0)"),
    ("a + (1 << 4)", "w_add(a, 16.0)"),
    # comparisons have one direction
    ("a > 0.0f ? a : 0.0f", "select(w_lt(0.0, a), a, 0.0)"),
    ("a >= 0 ? a : 0", "select(w_le(0.0, a), a, 0.0)"),
    ("a <= 1.0f ? a : 1.0f", "select(w_le(a, 1.0), a, 1.0)"),
    ("a == a ? a : 1.0f", "select(w_eq(a, a), a, 1.0)"),
    ("a != a ? 1.0f : a", "select(w_eq(a, a), a, 1.0)"),
    ("!(a < 1.0f) && a > 2.0f || n == 3 ? a : 1.0f", "select(or(and(not(w_lt(a, 1.0)), w_lt(2.0, a)), ieq_b32(n, 3)), a, 1.0)"),
    ("a ? 1.0f : 2.0f", "select(w_eq(a, 0.0), 2.0, 1.0)"),
    # truth values as numbers
    ("(float)(a > 0.0f)", "select(w_lt(0.0, a), 1.0, 0.0)"),
    ("a * (a > 0)", "w_mul(a, select(w_lt(0.0, a), 1.0, 0.0))"),
    ("static_cast<float>(n < 3)", "select(slt_b32(n, 3), 1.0, 0.0)"),
    # calls
    ("fabs(a) + std::exp(a)", "w_add(w_abs(a), w_expf(a))"),
    ("max(a, 0.f)", "w_max(a, 0.0)"),
    ("fma(a, a, 1.0f)", "w_fma(a, a, 1.0)"),
    ("fmaf(a, 2, 1)", "w_fma(a, 2.0, 1.0)"),
    ("__fmul_rn(a, a) + __expf(a)", "w_add(w_mul_rn(a, a), w_fast_expf(a))"),
    ("isnan(a) ? 0.0f : a", "select(w_isnan(a), 0.0, a)"),
    ("rsqrtf(a)", "w_rsqrtf(a)"),
])
def test_expressions(c: str, shown: str) -> None:
    assert body(f"y[i] = {c};") == f"  y[i] = {shown}"


def test_a_literal_is_rounded_once() -> None:
    """0.50000002980232239 lies just above the middle of two floats: as a double literal it is rounded to the tie first."""
    direct, twice = "0.500000029802322387695312500000000000001", 0x3F000000
    for c, pattern in ((f"{direct}f", 0x3F000001), (f"(float){direct}", twice)):
        store = stored(c).body[-1]
        assert isinstance(store, Store) and store.value is bits(pattern)


def test_every_c_function_of_the_table() -> None:
    """Each spelling of ops.py is declared by our header and means its row."""
    names = [name for name, op in BY_C.items() if name.replace("std::", "").isidentifier() and set(op.args) == {F32}]
    assert len(names) > 100
    for start in range(0, len(names), 25):
        some = names[start:start + 25]
        calls = "".join(f"y[i] = {'1.0f + ' if BY_C[n].out == F32 else '(float)'}{n}({', '.join(['a'] * len(BY_C[n].args))});\n" for n in some)
        values = [s.value for s in parse_kernel("k.cu", HEAD + calls + "}").body if isinstance(s, Store)]
        for name, value in zip(some, values, strict=True):
            call = mk(BY_C[name].name, *[var("a", F32)] * len(BY_C[name].args))
            one, zero = const(1.0), const(0.0)
            assert value is (mk("w_add", one, call) if BY_C[name].out == F32 else mk("select", call, one, zero)), name


@pytest.mark.parametrize(("c", "shown"), [
    ("y[i] += x[i];", "x@0 = x[i]\ny@0 = y[i]\ny[i] = w_add(y@0, x@0)"),
    ("float v = x[i], w = v; w *= 2; y[i] = w;", "x@0 = x[i]\nv = x@0\nw = v\nw = w_mul(w, 2.0)\ny[i] = w"),
    ("float v; v = a; ++v; v--; y[i] = v;", "v = a\nv = w_add(v, 1.0)\nv = w_sub(v, 1.0)\ny[i] = v"),
    ("auto v = a; { float v = 1; y[i] = v; } y[i] = v;", "v = a\nv.1 = 1.0\ny[i] = v.1\ny[i] = v"),
    ("float v(a), w{v}; y[i] = w;", "v = a\nw = v\ny[i] = w"),
    ("float s = 0.5, t = 1.0 / 3.0; y[i] = s * t;", "s = 0.5\nt = 0.33333334\ny[i] = w_mul(s, t)"),
    ("const double h = 0.5; float s = h; y[i] = s;", "s = 0.5\ny[i] = s"),
    ("const int one = 1; y[i] = (const float&)one;", "y[i] = 1.0"),    # a new float, unlike (float&)one
    ("const int two = 2; y[i] = two * a;", "y[i] = w_mul(2.0, a)"),
    ("bool b = a > 0; b = b && n; y[i] = b ? a : 0;", "b = w_lt(0.0, a)\nb = and(b, not(ieq_b32(n, 0)))\ny[i] = select(b, a, 0.0)"),
    ("y[i] = *(x + i) + __ldg(&x[i]) + __ldg(x + i) + i[x];",
     "x@0 = x[i]\nx@1 = x[i]\nx@2 = x[i]\nx@3 = x[i]\ny[i] = w_add(w_add(w_add(x@0, x@1), x@2), x@3)"),
    ("*y = x[0]; *(y + 1) = (x + i)[2];", "x@0 = x[0]\ny[0] = x@0\nx@1 = x[add_b64(sext(i), 2)]\ny[1] = x@1"),
    ("n += 1; i--; y[i] = n > 0 ? a : 0.0f;", "n = add_b32(n, 1)\ni = sub_b32(i, 1)\ny[i] = select(slt_b32(0, n), a, 0.0)"),
    ("if (i >= n) return; y[i] = 1;", "if sle_b32(n, i)\n  return\ny[i] = 1.0"),
    ("if (i < n) { y[i] = 1; } else y[i] = 2;", "if slt_b32(i, n)\n  y[i] = 1.0\nelse\n  y[i] = 2.0"),
    ("if (!(i < n)) return; (y[i]) = a;", "if sle_b32(n, i)\n  return\ny[i] = a"),
    # a side with a load is a branch
    ("y[i] = i < n ? x[i] : 0.0f;", "if slt_b32(i, n)\n  x@0 = x[i]\n  choice = x@0\nelse\n  choice = 0.0\ny[i] = choice"),
    ("if (i < n && x[i] > 0) y[i] = 1;", "if slt_b32(i, n)\n  x@0 = x[i]\n  and = w_lt(0.0, x@0)\nelse\n  and = false\nif and\n  y[i] = 1.0"),
    ("if (i >= n || x[i] > 0) return;", "if sle_b32(n, i)\n  or = true\nelse\n  x@0 = x[i]\n  or = w_lt(0.0, x@0)\nif or\n  return"),
    ("static_assert(true, \"\"); using F = float; typedef float G; F f = a; G g = f; y[i] = g;;", "f = a\ng = f\ny[i] = g"),
    ("if constexpr (true) { y[i] = a; }", "if true\n  y[i] = a"),
])
def test_statements(c: str, shown: str) -> None:
    assert body(c) == "\n".join("  " + line for line in shown.split("\n"))


@pytest.mark.parametrize(("declaration", "shown"), [
    ("int j = threadIdx.x;", "slt_b32(threadIdx.x, n)"),
    ("unsigned j = threadIdx.x;", "ult_b32(threadIdx.x, n)"),
    ("long long j = threadIdx.x;", "slt_b64(zext(threadIdx.x), sext(n))"),
    ("size_t j = threadIdx.x;", "ult_b64(zext(threadIdx.x), sext(n))"),
    ("size_t j = i;", "ult_b64(sext(i), sext(n))"),
    ("size_t j = (size_t)blockIdx.x * blockDim.x;", "ult_b64(mul_b64(zext(blockIdx.x), zext(blockDim.x)), sext(n))"),
    ("long long j = (int)threadIdx.x;", "slt_b64(sext(threadIdx.x), sext(n))"),
    ("int j = (int)(size_t)i;", "slt_b32(wrap(sext(i)), n)"),
    ("int64_t j = gridDim.x * 4u;", "slt_b64(zext(mul_b32(gridDim.x, 4)), sext(n))"),
    ("uint32_t j = i - 1;", "ult_b32(sub_b32(i, 1), n)"),
])
def test_integers_follow_c(declaration: str, shown: str) -> None:
    """Signedness chooses the comparison and the widening; the sum is computed in the width of its operands."""
    name, value = "j", body(f"const {declaration} if (j < n) y[0] = 1;").split("\n")
    assert value[0].startswith(f"  {name} = ")
    assert value[1].replace("j", value[0].removeprefix("  j = ")) == f"  if {shown}"


def test_parameters_of_every_kind() -> None:
    text = "__global__ void k(float* __restrict__ y, const float x[], unsigned u, long long l, size_t s, bool b, float f, long arg0, const int, int) {}"
    assert show(parse_kernel("k.cu", text)) == (
        "kernel k(float* y, const float* x, unsigned u, long long l, size_t s, bool b, float f, long arg0, int arg1, int arg2)")


def test_constants_outside_the_kernel() -> None:
    before = "#define TWICE(v) ((v) + (v))\nconstexpr float kHalf = 0.5f; const int kFour = 4; static const bool kYes = true;"
    assert body("y[i] = kYes ? kHalf * kFour + TWICE(a) : a;", before) == "  y[i] = w_add(2.0, w_add(a, a))"


def test_calls_are_inlined_with_their_own_variables() -> None:
    before = """__device__ float sq(float v) { v = v * v; return v; }
    __host__ __device__ inline bool big(float v) { if (v > 2) return true; return false; }"""
    assert body("float v = 3; y[i] = sq(sq(a)) + v; if (big(v)) y[i] = 1;", before) == lines("""
    v = 3.0
    sq() = inline sq
      v.1 = a
      v.1 = w_mul(v.1, v.1)
      return v.1
    sq().1 = inline sq
      v.2 = sq()
      v.2 = w_mul(v.2, v.2)
      return v.2
    y[i] = w_add(sq().1, v)
    big() = inline big
      v.3 = v
      if w_lt(2.0, v.3)
        return true
      return false
    if big()
      y[i] = 1.0
    """)


def test_host_code_is_skipped() -> None:
    """A KernelBench file: PyTorch's types in signatures and bodies, a launch, a module."""
    text = f"""#include <torch/extension.h>
    #include <vector>
    #include "device_launch_parameters.h"
    {HEAD} if (i < n) y[i] = a; }}
    torch::Tensor run(torch::Tensor x, std::vector<int> sizes) {{
      auto y = torch::empty_like(x);
      k<<<(x.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 1.0f);
      return y;
    }}
    class Runner {{ std::string name; void go() {{ undeclared(); }} }};
    PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{ m.def("run", &run, "run"); }}
    """
    assert show(parse_kernel("k.cu", text)) == SHOWN + "  if slt_b32(i, n)\n    y[i] = a"


def test_the_kernel_is_chosen_by_name() -> None:
    text = "namespace one { __global__ void f(float* y) { y[0] = 1; } }\n__global__ void g(float* y) { y[0] = 2; }"
    assert show(parse_kernel("k.cu", text, "g")) == "kernel g(float* y)\n  y[0] = 2.0"
    assert show(parse_kernel("k.cu", text, "f")) == "kernel f(float* y)\n  y[0] = 1.0"
    with pytest.raises(UsageError, match=r"k\.cu has several kernels: choose one of f, g with --function"):
        parse_kernel("k.cu", text)
    with pytest.raises(UsageError, match=r"k\.cu has no kernel named h: choose one of f, g with --function"):
        parse_kernel("k.cu", text, "h")


def test_include_guards_and_bytes() -> None:
    text = b"\xef\xbb\xbf#ifndef MY_H_\r\n#define MY_H_\r\n#ifdef __cplusplus\r\nextern \"C\" {\r\n#endif\r\n" \
           b"__global__ void k(float* y) { y[threadIdx.x] = 1; }\r\n#ifdef __cplusplus\r\n}\r\n#endif\r\n#endif\r\n"
    assert show(parse_kernel("k.cu", text)) == "kernel k(float* y)\n  y[threadIdx.x] = 1.0"


def test_places_are_the_source_s() -> None:
    program = parse_kernel("dir/k.cu", HEAD + "\n   y[i] = a;\n}\n")
    assert str(program.where) == "dir/k.cu:1:28"
    assert str(program.params[1].where) == "dir/k.cu:1:53"
    assert str(program.body[-1].where) == "dir/k.cu:4:4"
