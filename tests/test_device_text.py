"""What the device's compiler gets of a file: no host code, every place kept, nothing of the device's meaning changed, and no way out of the text."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from draw import seed

from devsem.errors import Rejected
from devsem.frontend.device_text import device_text
from devsem.frontend.nvrtc import Compiled, Job, compile_device, compile_many, nvrtc_options
from devsem.rejections import TABLE

ROOT = Path(__file__).resolve().parents[1]
KERNEL = "__global__ void k(const float* x, float* y) {\n  y[threadIdx.x] = f(x[threadIdx.x]);\n}\n"
F = "__device__ float f(float v) { return v * 2.0f; }\n"


def refused(text: str | bytes) -> list[str]:
    with pytest.raises(Rejected) as caught:
        device_text(text, "k.cu")
    assert all(r.message and r.hint and not re.search(r"{\w+}", r.message + r.hint) for r in caught.value.rejections)
    return [f"{r.code}@{r.where.line}:{r.where.column}" for r in caught.value.rejections]


def lines(text: str) -> list[str]:
    """What is left, without blank lines."""
    return [line.strip() for line in device_text(text, "k.cu").splitlines() if line.strip()]


EXTENSION = """#include <torch/extension.h>
#include <cuda_runtime.h>
#include <vector>
#include "device_launch_parameters.h"
#define CHECK(x) TORCH_CHECK(x.is_cuda(), #x " must be on the device")
#define THREADS 256
#define DEV __device__ __forceinline__
#define DEFINE(name, expression) __global__ void name(const float* x, float* y) { float v = x[0]; y[0] = expression; }
using torch::Tensor;
using namespace torch;
namespace py = pybind11;
static int counter = 0;
std::vector<torch::Tensor> forward_all(torch::Tensor x, std::vector<int> sizes);
constexpr float kAlpha = 0.1f;
const float kTable[] = {1.0f, 2.0f};
struct Pair { float a, b; };
struct Params { torch::Tensor x; int n; };
enum class Mode : int { Fast, Exact };
typedef float real;
DEFINE(twice, 2.0f * v)
DEFINE(thrice, 3.0f * v);
namespace impl {
template <typename T> DEV T leaky(T v) { return v > 0 ? v : kAlpha * v; }
void helper(int n) { if (n) { counter++; } }
}
__global__ void __launch_bounds__(THREADS) relu(const float* __restrict__ x, float* y, int64_t n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; // } {
  if (i < n) y[i] = impl::leaky(x[i]);
}
std::vector<torch::Tensor> forward_all(torch::Tensor x, std::vector<int> sizes) {
  CHECK(x);
#define INSIDE 3
  auto y = torch::empty_like(x); const char* c = R"(
}})";
  relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "relu", [&] { foo<scalar_t>(); });
  return {y};
}
extern "C" void launch(float* x) { relu<<<1, THREADS>>>(x, x, INSIDE); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward_all, "relu é"); }
extern "C" { void free_it(void* p) { delete (char*)p; } __global__ void last(float* y) { y[0] = wrong; } }
"""


def test_an_extension_of_pytorch() -> None:
    text = device_text(EXTENSION, "k.cu")
    assert [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")] == [
        "constexpr float kAlpha = 0.1f;", "const float kTable[] = {1.0f, 2.0f};", "struct Pair { float a, b; };",
        "enum class Mode : int { Fast, Exact };", "typedef float real;", "DEFINE(twice, 2.0f * v)", "DEFINE(thrice, 3.0f * v);", "namespace impl {",
        "template <typename T> DEV T leaky(T v) { return v > 0 ? v : kAlpha * v; }", "}",
        "__global__ void __launch_bounds__(THREADS) relu(const float* __restrict__ x, float* y, int64_t n) {",
        "int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; // } {", "if (i < n) y[i] = impl::leaky(x[i]);", "}",
        'extern "C" { ' + " " * len("void free_it(void* p) { delete (char*)p; }") + " __global__ void last(float* y) { y[0] = wrong; } }"]
    assert [line for line in text.splitlines() if line.startswith("#")] == [line for line in EXTENSION.splitlines() if line.startswith("#d")]
    assert len(text.splitlines()) == len(EXTENSION.splitlines())
    with pytest.raises(Rejected) as caught:
        compile_device(text, file="k.cu", arch="sm_90", options=())
    place = EXTENSION.splitlines()[-1].index("wrong") + 1
    assert [(str(r.where), r.message) for r in caught.value.rejections] == [
        (f"k.cu:{EXTENSION.count(chr(10))}:{place}", 'the compiler says: identifier "wrong" is undefined')]
    names = re.findall(r"\.entry (\w+)", compile_device(text.replace("wrong", "1"), file="k.cu", arch="sm_90", options=()).ptx)
    assert sorted(names) == ["_Z4reluPKfPfl", "_Z5twicePKfPf", "_Z6thricePKfPf", "last"]


@pytest.mark.parametrize("text", [
    KERNEL, F + KERNEL, "__host__ " + F, "__constant__ float c[4]; __managed__ float m;\n",
    "struct S { float v; __device__ float twice() { return 2 * v; } };\n",
    "namespace a { namespace { __device__ float g = 1; } }\n", "namespace a::b { inline namespace c { __device__ float g = 1; } }\n",
    "template <int N, bool B = (1 > 2)> __device__ float g();\n", "template <> __device__ float g<1>() { return 1; }\n",
    "auto l = [] __device__ (float v) { return v; };\n",
    "using real = float; typedef float4 vec; static constexpr int N = 4; const float k = -1.0f; enum { A, B };\n", "static_assert(sizeof(int) == 4);\n",
    "#if 0\nvoid host() {}\n#endif\n", "// void host() {}\n/* int a; */\n", "struct __align__(16) V { float a[4]; } const v = {};\n", "",
    "__device__ auto g(float v) -> float { return v; }\n", "extern __device__ float other(float);\n",
])
def test_what_is_kept_whole(text: str) -> None:
    assert device_text(text, "k.cu") == text


@pytest.mark.parametrize("text", [
    "void host() {}", "int host(int n) { return n < 3 ? host(n + 1) : n; }", "float g;", "static int a = 1, b[] = {2, 3};", "auto host() -> int { return 1; }",
    "__host__ float host(float v) { return v; }", "constexpr float host(float v) { return v; }", "const char* host() { return \"}\"; }",
    "int main(int c, char** v);",
    "template <class T> T host(T v) { return v; }", "void (*pointer)(int) = nullptr;", "torch::Tensor host(torch::Tensor x) { return x.relu(); }",
    "std::tuple<at::Tensor, at::Tensor> host() { return {}; }", "const std::string text = \"{\";", "struct P { at::Tensor t; };", "using torch::Tensor;",
    "namespace py = pybind11;", "PYBIND11_MODULE(name, m) { m.def(\"f\", &f); }", "TORCH_LIBRARY_IMPL(a, CUDA, m) { m.impl(\"f\", f); }", "HOST_MACRO(1);",
    "typedef std::vector<int> ints;", "void host() { auto l = [] __device__ (float v) { return v; }; }",
    "int host() try { return 1; } catch (...) { return 2; }",
    "extern \"C\" int host(void);", "int host() <% return 1; %>", "void host() { const char* c = R\"x(})\")x\"; }", "void ho\\\nst() {}",
    "int (host)(int n) { return n; }",
])
def test_what_is_blanked(text: str) -> None:
    assert lines(f"{text}\n{F}{KERNEL}") == [*(F + KERNEL).replace("  ", "").splitlines()]
    assert device_text(f"{F}{text}\n{KERNEL}", "k.cu").splitlines()[0] == F.strip()


@pytest.mark.parametrize(("text", "found"), [
    # a blanked name that device code mentions: it could have been the better overload, or hidden another
    ("float f(float v);\n__device__ float f(double v) { return 1; }\n" + KERNEL, ["cuda.host_name@2:18", "cuda.host_name@4:20"]),
    ("int k1 = 3;\n__device__ float f(float v) { return v * k1; }\n", ["cuda.host_name@2:42"]),
    ("namespace a { constexpr float c = 2; namespace b { float c = 3; __device__ float f() { return c; } } }\n", ["cuda.host_name@1:31",
    "cuda.host_name@1:95"]),
    ("template <class T> __device__ T f(T v) { return v; }\ntemplate <> float f<float>(float v) { return 1; }\n", ["cuda.host_name@1:33"]),
    ("void a::f(int) {}\n" + F, ["cuda.host_name@2:18"]),
    ("int (*f)(int);\n" + F, ["cuda.host_name@2:18"]),
    ("int (f)(int);\n__device__ int g() { return f(1); }\n", ["cuda.host_name@2:29"]),
    ("using torch::f;\n" + F, ["cuda.host_name@2:18"]),
    ("#define CALL f(1)\nvoid f(int);\n__device__ int g() { return CALL; }\n", ["cuda.host_name@3:29"]),
    ("struct S { float v; };\nS operator+(S a, S b) { return a; }\n" + F, ["cuda.host_name@2:3"]),
    # a constant that a macro declares beside a host function, inside a host function's braces by way of `##`, or under a name that `##` makes
    ("constexpr float a = 2;\n#define X constexpr float a = 3;\nnamespace m { X void host() {} __device__ float g() { return a; } }\n",
     ["cuda.host_name@1:17", "cuda.host_name@3:62"]),
    ("#define P(l, r) l##r\nconstexpr float a = 2;\nnamespace m { void host() { P(%,>) constexpr float a = 3; void h() P(<,%) } "
     "__device__ float g() { return a; } }\n",
     ["cuda.host_text@3:31", "cuda.host_text@3:70", "cuda.host_text@3:72", "cuda.host_name@2:17", "cuda.host_name@3:107"]),
    ("#define LT <\n#define P(l, r) l##r\n#define Q(l, r) P(l, r)\nvoid host() { Q(LT, 1) }\n" + F, ["cuda.host_text@1:12"]),
    ("#define P(l, r) l##r\nnamespace m { const float ab = std::min(1, 2); __device__ float g() { return P(a, b); } }\n", ["cuda.host_name@2:15"]),
    ("namespace p { namespace at { constexpr float k = 3; } namespace m { using namespace at; __device__ float g() { return k; } void h(); } }\n", []),
    ("template <class T> struct V { };\ntemplate <> struct V<float> { std::vector<int> v; };\n__device__ V<float> v;\n",
     ["cuda.host_name@1:27", "cuda.host_name@3:12"]),
    ("__attribute__((device)) float f(float v) { return 1; }\n" + KERNEL, ["cuda.host_text@1:1", "cuda.host_name@3:20"]),
    # text that could be cut wrongly
    ("#define BEGIN {\n#define END }\n__device__ void g(float* y) BEGIN y[0] = 1; y[1] = 2; END\n", None),
    ("#define END }\nvoid host() {}\n" + F, ["cuda.host_text@1:9"]),
    ("void host() {\n", None), ("void host() { ] }\n", None), ("}\n" + F, None), ("void host() {}}\n", None),
    # which compiler is it?
    ("__device__ int g() { return __CUDA_ARCH__; }\n", ["cuda.conditional@1:29"]),
    ("#define A B\n#define B __CUDACC_RTC__\n__device__ int g() { return A; }\n", ["cuda.conditional@3:29"]),
    ("__device__ int g() { return __COUNTER__ + __linux__ + linux; }\n", ["cuda.conditional@1:29", "cuda.conditional@1:43", "cuda.conditional@1:55"]),
    ("#ifdef __CUDA_ARCH__\n#endif\n", ["cuda.conditional@1:1"]), ("#ifdef __NVCC__\n#endif\n", ["cuda.conditional@1:1"]),
    ("#if __CUDACC_VER_MAJOR__ > 12\n#endif\n", ["cuda.conditional@1:1"]), ("#define sqrtf(v) v\n", ["cuda.macro@1:1"]),
    ("#define float double\n", ["cuda.macro@1:1"]),
    # a way out of the text
    ('#include "/etc/passwd"\n', ["cuda.include@1:1"]), ("#include </etc/passwd>\n", ["cuda.include@1:1"]), ("#include_next <math.h>\n", ["cuda.include@1:1"]),
    ("#define H <math.h>\n#include H\n", ["cuda.include@2:1"]), ("#inc\\\nlude H\n", ["cuda.include@1:1"]), ("%:include H\n", ["cuda.include@1:1"]),
    ("??=include H\n", ["cuda.include@1:1"]), ('__device__ const char c[] = {\n#embed "/etc/passwd"\n};\n', ["cuda.include@2:1"]),
    ("#if __has_include(</etc/passwd>)\n#endif\n", ["cuda.directive@1:5"]), ('_Pragma("once")\n', ["cuda.directive@1:1"]),
    ('#pragma include_alias("a", "b")\n', ["cuda.pragma@1:1"]), ('#line 3 "/etc/passwd"\n', ["cuda.directive@1:1"]), ("#import <a>\n", ["cuda.include@1:1"]),
    ("int a ??( 3 ??);\n", ["cuda.directive@1:7"]), (b"\xff", ["cuda.binary@0:0"]), ("a\0b", ["cuda.binary@0:0"]), (" " * (1 << 17) + "x", ["cuda.size@0:0"]),
])
def test_what_is_refused(text: str | bytes, found: list[str] | None) -> None:
    if found == []:
        assert "using namespace at;" in device_text(text, "k.cu")
        return
    got = refused(text)
    assert got == found if found is not None else {r.split("@")[0] for r in got} == {"cuda.host_text"}


def test_dead_code_does_not_move_the_cuts() -> None:
    """Braces in a branch that is not compiled: B belongs to f, though the tokens alone would say otherwise."""
    text = "__device__ float f(float* y) { y[0] = 1;\n#if 0\n }\n namespace n {\n#endif\n y[1] = 2; return 0; }\nvoid host() {}\n"
    assert device_text(text, "k.cu") == text.replace("void host() {}", " " * 14)


def test_includes_and_guards() -> None:
    text = "#pragma once\n#ifndef A_CU\n#define A_CU\n#include <cmath>\n#if defined(A_CU) && 1\n" + F + KERNEL + "#else\n}}}\n#endif\n#endif\n"
    assert device_text(text, "k.cu") == text.replace("#include <cmath>", " " * 16)
    assert compile_device(device_text(text, "k.cu"), file="k.cu", arch="sm_90", options=()).ptx


def compiled(expressions: list[str], head: str = "") -> list[str]:
    """The instructions of one kernel for each expression of the floats a and b and the integer i."""
    text = "".join(f'{head}extern "C" __global__ void k{n}(const float* x, float* y, int i) {{ float a = x[0], b = x[1]; y[0] = {e}; }}\n'
                   for n, e in enumerate(expressions))
    ptx = compile_device(device_text(text, "k.cu"), file="k.cu", arch="sm_90", options=()).ptx
    bodies = re.findall(r"\.entry k\d+\(.*?^\{(.*?)^\}", ptx, re.DOTALL | re.MULTILINE)
    assert len(bodies) == len(expressions)
    return bodies


def test_names_that_the_compiler_lacks() -> None:
    """The values are those that nvcc's headers give (glibc's math.h, gcc's float.h, CUDA's math_constants.h)."""
    values = {"INFINITY": "0f7F800000", "-INFINITY": "0fFF800000", "NAN": "0f7FC00000", "HUGE_VALF": "0f7F800000", "CUDART_INF_F": "0f7F800000",
              "FLT_MAX": "0f7F7FFFFF", "FLT_MIN": "0f00800000", "FLT_EPSILON": "0f34000000", "CUDART_PI_F": "0f40490FDB", "(float)M_PI": "0f40490FDB",
              "(float)M_SQRT2": "0f3FB504F3", "(float)M_SQRT1_2": "0f3F3504F3", "(float)M_2_SQRTPI": "0f3F906EBB", "(float)M_LOG2E": "0f3FB8AA3B"}
    for (name, pattern), body in zip(values.items(), compiled([f"a > 0 ? a : {n}" for n in values]), strict=True):
        assert pattern in body, name
    assert "constexpr" in device_text("constexpr float c = -INFINITY;\n", "k.cu")
    assert compiled(["a * (float)(int64_t)i + (float)sizeof(uint16_t) + (INT_MAX - i)"])


def test_functions_of_std() -> None:
    names = ["sqrt", "exp", "tanh", "log1p", "floor", "abs", "erf"]
    assert compiled([f"std::{n}(a)" for n in names]) == compiled([f"{n}f(a)" if n != "abs" else "fabsf(a)" for n in names])
    assert compiled(["std::pow(a, b)", "pow(a, b)", "std::fmax(a, b)"]) == compiled(["powf(a, b)"] * 2 + ["fmaxf(a, b)"])


@pytest.mark.parametrize("call", ["std::pow(a, 2)", "pow(a, i)", "pow(2, a)", "std::fmin(a, i)", "fmax(0, a)", "fmod(a, 2)", "atan2(a, 1)",
    "std::fma(a, 2, b)"])
def test_functions_that_nvcc_would_compute_in_double(call: str) -> None:
    """With an integer beside a float, nvcc calls the C++ library's function, which computes in double; NVRTC alone would take float."""
    with pytest.raises(Rejected) as caught:
        compiled([call])
    assert all(r.code == "nvrtc.error" and r.where.line == 1 for r in caught.value.rejections)
    assert "deleted function" in caught.value.rejections[0].message


CORPUS = sorted((ROOT / "tests" / "corpus").glob("*/*.cu"))
FEW = CORPUS[::30]


def all_compile(files: list[Path], flags: str, archs: tuple[str, ...]) -> None:
    jobs = [Job(device_text(f.read_bytes(), str(f)), str(f), arch, nvrtc_options(flags)) for f in files for arch in archs]
    for job, result in zip(jobs, compile_many(jobs), strict=True):
        assert isinstance(result, Compiled), result
        assert ".visible .entry" in result.ptx and result.cubin.startswith(b"\x7fELF") and job.arch == result.arch


def test_kernels_of_the_corpus() -> None:
    assert len(FEW) >= 7
    all_compile([f for f in FEW if f.parent.name != "70_rejected"], "", ("sm_90",))


@pytest.mark.slow
@pytest.mark.parametrize(("arch", "flags"), [("sm_90", ""), ("sm_75", "-use_fast_math"), ("sm_103", "-ftz=true")])
def test_every_kernel_of_the_corpus(arch: str, flags: str) -> None:
    all_compile([f for f in CORPUS if f.parent.name != "70_rejected"], flags, (arch,))


SMALL = F + KERNEL + """static int counter = 0;
namespace a { struct S { float v; }; void host(int n) { if (n) { counter++; } } __global__ void k2(float* y) { y[0] = f(1.0f); } }
#if 1
torch::Tensor run(torch::Tensor x) { k<<<1, 256>>>(x.data_ptr<float>(), x.data_ptr<float>()); return x; }
#endif
PYBIND11_MODULE(name, m) { m.def("run", &run, "run it"); }
"""


@pytest.mark.parametrize(("text", "count"), [(SMALL, 60), pytest.param(EXTENSION, 60, marks=pytest.mark.slow),
    pytest.param(SMALL, 600, marks=pytest.mark.slow)])
def test_damaged_text_is_refused_by_name(text: str, count: int) -> None:
    """Cut, doubled and exchanged pieces of a file: an answer that moves nothing or a named refusal, and never a crash."""
    rng, tokens = random.Random(seed()), re.findall(r"\w+|\s+|.", text)
    answers = 0
    for _ in range(count):
        damaged = list(tokens)
        for _ in range(rng.randint(1, 3)):
            at, length = rng.randrange(len(damaged)), rng.randint(1, 8)
            damaged[at:at + length] = rng.choice(([], damaged[at:at + length] * 2, [rng.choice("{}();#\n\"'\\<>")], [rng.choice(tokens)]))
        given = "".join(damaged)
        try:
            kept = device_text(given, "k.cu")
        except Rejected as e:
            assert all(r.code in TABLE for r in e.rejections)
            continue
        answers += 1
        assert len(kept.encode()) == len(given.encode()) and all(a == b or b == " " for a, b in zip(given, kept, strict=False) if given.isascii())
    assert answers > 0
