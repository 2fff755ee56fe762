"""CUDA text that is not accepted: each construct by its own name, at its own place, all of them at once; and no text ends in a crash."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from draw import seed

from devsem.errors import Rejected, UsageError
from devsem.frontend.cuda import parse_kernel, signature, translate
from devsem.frontend.cuda_guard import is_suspicious
from devsem.frontend.cuda_source import Source
from devsem.frontend.device_text import device_text
from devsem.program import Program
from devsem.rejections import TABLE
from devsem.symbolic import run

HEAD = "__global__ void k(const float* x, float* y, int n, float a) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"


def refused(text: str | bytes) -> list[str]:
    """`code@line:column` of every refusal."""
    with pytest.raises(Rejected) as caught:
        run(parse_kernel("k.cu", text))
    for r in caught.value.rejections:
        assert r.where.file == "k.cu"
        assert r.message and r.hint and "{" not in r.message
    return [f"{r.code}@{r.where.line}:{r.where.column}" for r in caught.value.rejections]


@pytest.mark.parametrize(("c", "code"), [
    ("atomicAdd(&y[i], 1.0f);", "cuda.atomic@1"),
    ('printf("%f", a);', "cuda.printf@1"),
    ("for (int j = 0; j < n; j++) y[j] = a;", "plain.loop@1"),
    ("while (n) n--;", "plain.loop@1"),
    ("goto end; end: y[i] = a;", "cuda.goto@1 cuda.goto@11"),
    ('asm("" : : );', "cuda.asm@1"),
    ('asm volatile("mov.f32 %0, 0f00000000;" : "=f"(a));', "cuda.asm@1"),
    ("try { y[i] = a; } catch (...) {}", "cuda.exception@1"),
    ("__shared__ float s[32]; s[0] = a; y[i] = s[0];", "plain.array@18"),
    ("extern __shared__ float s[]; y[i] = s[0];", "plain.array@25"),
    ("__syncthreads();", "plain.barrier@1"),
    ("y[i] = __shfl_xor_sync(0xffffffffu, a, 1);", "cuda.warp@8"),
    ("y[i] = threadIdx.y < 1u ? a : 1.0f;", "cuda.thread_dim@1"),
    ("half h = a;", "cuda.half@1"),
    ("y[i] = __half2float(x[i]);", "cuda.half@8"),
    ("_Float16 h = a;", "cuda.half@10"),
    ("y[i] = reinterpret_cast<const float4*>(x)[i].x;", "plain.vector@8"),
    ("y[i] = a * 0.5;", "cuda.double@8"),
    ("if (a > 0.5) y[i] = a;", "cuda.double@5"),
    ("a += 0.5;", "cuda.double@1"),
    ("y[i] = fmax(a, 0.0);", "cuda.double@8"),
    ("y[i] = sqrt(2.0) * a;", "cuda.double@8 cuda.double@20"),
    ("y[i] = pow(a, 2);", "cuda.double@8"),
    ("y[i] = a > 0 ? a : 0.0;", "cuda.double@16"),
    ("double d = a; y[i] = d;", "cuda.double@8"),
    ("long double d = 1;", "cuda.double@13"),
    ("y[i] = i;", "plain.operation@1"),
    ("y[i] = a * (float)i;", "plain.operation@1"),
    ("i = a;", "plain.operation@1"),
    ("y[(int)a] = 1;", "plain.operation@1"),
    ("y[i] = (a > 0) - (a < 0);", "plain.operation@1 plain.operation@1"),
    ("int b = a > 0;", "plain.operation@5"),
    ("i = i / 2;", "plain.operation@1"),
    ("i %= n;", "plain.operation@1"),
    ("i = i << 1 & ~n;", "plain.operation@1 plain.operation@1 plain.operation@1"),
    ("i = min(i, n);", "plain.operation@1"),
    ("i = i < n ? i : n;", "plain.operation@1"),
    ("if (a > 0) i = 0; y[i] = a;", "cuda.integer_select@19"),
    ("y[i] = foo(a);", "cuda.call@8"),
    ("y[i] = foo::bar(a);", "cuda.syntax@8"),
    ("y[i] = fdimf(a, a) + copysignf(a, a);", "cuda.call@8 cuda.call@22"),
    ("y[i] = signbit(a) ? a : 0.0f;", "cuda.call@8"),
    ("y[i] = __builtin_bit_cast(float, 1);", "cuda.reinterpret@8"),
    ("const int one = 1; y[i] = (float&)one;", "cuda.reinterpret@27"),
    ("y[i] = *(float*)&i;", "cuda.reinterpret@9"),
    ("if (x == y) y[i] = a;", "cuda.pointer@5 cuda.pointer@10"),
    ("y[i - 1 + 1 == i] = a;", "cuda.type@3"),
    ("static float v; v = a;", "cuda.static@14"),
    ("volatile float v = a;", "cuda.volatile@16"),
    ("y[i] = a ?: 1.0f;", "cuda.construct@8"),
    ("y[i] = ({ a; });", "cuda.construct@8"),
    ("char c = 1; short s = 2;", "cuda.type@6 cuda.type@19"),
    ("float r; y[i] = r;", "cuda.uninitialized@10"),
    ("float r; if (i < n) r = 1; y[i] = r;", "cuda.uninitialized@28"),
    ("float r = r;", "cuda.uninitialized@7"),
    ("y[i] = y[i + 1];", "cuda.alias@8"),
])
def test_refusals(c: str, code: str) -> None:
    found = [re.sub(r"@3:", "@", r) for r in refused(f"{HEAD}{c}\n}}\n")]
    assert " ".join(found) == code


FUNCTIONS = """constexpr float kC[2] = {1, 2}; float g; const float kF = 0.5f; __constant__ float kD; __managed__ float kM;
__device__ float bad(float v) { if (v < 0) return 1; }
__device__ float rec(float v) { return v < 1 ? v : rec(v - 1); }
__device__ void ref(float& v) { v = 1; }
__device__ void ptr(float* v) { *v = 1; }
__device__ float dbl(double v) { return v; }
float host(float v) { return v; }
template <class T> __device__ T same(T v) { return v; }
__device__ __attribute__((noinline)) float attr(float v) { return v; }
__device__ float fmaxf(float v, float w) { return v; }
__device__ float undefined(float v);
__device__ float more(float v, float w = 1) { return v; }
"""


@pytest.mark.parametrize(("c", "code"), [
    ("y[i] = kC[0];", "cuda.global_variable@15:8"),
    ("y[i] = g;", "cuda.global_variable@15:8"),
    ("g = a;", "cuda.global_variable@15:1"),
    ("y[i] = kD;", "cuda.global_variable@15:8"),
    ("y[i] = kM;", "cuda.global_variable@15:8"),
    ("y[i] = bad(a);", "cuda.no_return@2:18"),
    ("y[i] = rec(a);", "cuda.recursion@3:52"),
    ("y[i] = dbl(0.5);", "cuda.double@6:29"),
    ("y[i] = host(a);", "cuda.call@15:8"),
    ("y[i] = attr(a);", "cuda.attribute@15:8"),
    ("y[i] = fmaxf(a, a);", "cuda.redefinition@15:8"),
    ("y[i] = undefined(a);", "cuda.call@15:8"),
])
def test_functions_and_variables_of_the_file(c: str, code: str) -> None:
    assert refused(f"{FUNCTIONS}{HEAD}{c}\n}}\n") == [code]


@pytest.mark.parametrize(("text", "code"), [
    ("", "cuda.empty@0:0"),
    ("int main() { return 0; }", "cuda.empty@0:0"),
    ("__global__ void k(float* y);", "cuda.empty@0:0"),
    (b"\x00\x01", "cuda.binary@0:0"),
    (b"\xff\xfe__global__", "cuda.binary@0:0"),
    ("x" * 200_000, "cuda.size@0:0"),
    (HEAD + "y[i] = ;\n}", "cuda.syntax@3:8"),
    (HEAD + "y[i] = a\n}", "cuda.syntax@3:9"),
    (HEAD + "y[i] = a;", "cuda.syntax@3:10"),
    ("}\n" + HEAD + "y[i] = a; }", "cuda.syntax@1:1"),
    ("template <class T> __global__ void k(T* y) { y[0] = 1; }", "cuda.template@1:36"),
    ("__global__ void k(double* y) {}", "cuda.parameter@1:27"),
    ("__global__ void k(int* y, float** z) {}", "cuda.parameter@1:35"),
    ("__global__ void k(double d) {}", "cuda.double@1:26"),
    ("__global__ void k(volatile float* y) {}", "cuda.parameter@1:35"),
    ("__global__ void k(struct float4 v) {}", "cuda.parameter@1:33"),
    ('#include "mine.cuh"\n#include <nowhere.h>\n', "cuda.include@1:1 cuda.include@2:1"),
    ('  #include "/etc/passwd"\n', "cuda.include@1:3"),
    ('#/**/include "/etc/passwd"\n', "cuda.include@1:1"),
    ('# /* \n */ include "/etc/passwd"\n', "cuda.include@1:1"),
    ('int a;\n#inc\\\nlude "/etc/passwd"\n', "cuda.include@2:1"),
    ('#\\\n  in\\  \nclude "/etc/passwd"\n', "cuda.include@1:1"),
    ('%:include "/etc/passwd"\n', "cuda.include@1:1"),
    ('#define X "/etc/passwd"\n#include X\n', "cuda.include@2:1"),
    ('#include_next <math.h>\n', "cuda.include@1:1"),
    ('#import <math.h>\n', "cuda.include@1:1"),
    ('const char c[] = {\n#embed "/etc/passwd"\n};\n', "cuda.include@2:1"),
    ('#if __has_include("/etc/passwd")\n#endif\n', "cuda.directive@1:5"),
    ('#pragma GCC dependency "/etc/passwd"\n', "cuda.pragma@1:1"),
    ('#pragma STDC FP_CONTRACT OFF\n', "cuda.pragma@1:1"),
    ('_Pragma("clang fp contract(off)")\n', "cuda.directive@1:1"),
    ('#line 7 "other.cu"\n', "cuda.directive@1:1"),
    ("#define __global__\n", "cuda.directive@1:1"),
    ("#undef __device__\n", "cuda.directive@1:1"),
    ("#if __CUDA_ARCH__ >= 800\n#endif\n", "cuda.conditional@1:1"),
    ("#ifdef __CUDA_ARCH__\n#endif\n", "cuda.conditional@1:1"),
    ("#define NEW __CUDA_ARCH__ >= 900\n#if NEW\n#endif\n", "cuda.conditional@1:1"),
    ("#define CAT(a, b) a ## b\n#if CAT(__CUDA_, ARCH__)\n#endif\n", "cuda.conditional@1:1 cuda.conditional@2:1 cuda.conditional@2:1"),
    ("int a; /* \n */ #ifdef NDEBUG\n#endif\n", "cuda.conditional@2:5"),
    ("#if defined(__clang__)\n#endif\n", "cuda.conditional@1:1"),
])
def test_texts(text: str | bytes, code: str) -> None:
    assert " ".join(refused(text)) == code


def test_an_include_that_got_through_is_refused_after_parsing(tmp_path: Path) -> None:
    (tmp_path / "other.h").write_text("__global__ void k(float* y) { y[0] = 1; }")
    with pytest.raises(Rejected, match=r"other\.h"):
        translate(Source("k.cu", f'#include "{tmp_path}/other.h"\n'), None)


def test_every_refusal_is_reported() -> None:
    text = f"""{HEAD}  atomicAdd(&y[i], 1.0f);
  for (int j = 0; j < n; j++) {{
    y[j] = 2.0 * a;
    __syncwarp();
  }}
  half h;
  y[i] = foo(a) + bar(a);
  asm("x");
}}
"""
    assert refused(text) == ["cuda.atomic@3:3", "cuda.double@5:18", "cuda.syncthreads@6:5", "cuda.half@8:3", "cuda.call@9:10",
                             "cuda.call@9:19", "cuda.asm@10:3"]


def test_a_message_says_what_and_what_next() -> None:
    with pytest.raises(Rejected) as caught:
        parse_kernel("k.cu", HEAD + "y[i] = a * 0.5;\ny[i] = ;\n}")
    assert [str(r) for r in caught.value.rejections] == [
        "k.cu:3:8: double precision arithmetic is not accepted yet [cuda.double] (write the literal with an f, as in `2.0f`, or cast it to float)",
        "k.cu:4:8: the compiler says: expected expression [cuda.syntax] (the file must compile with nvcc)",
    ]


def test_a_condition_in_a_host_file_that_every_compiler_decides_alike() -> None:
    text = "#define BLOCK 256\n#if BLOCK > 128 && defined(BLOCK)\n#define TWO 2\n#else\n#define TWO 3\n#endif\n#if TWO == 2\n#define FOUR 4\n#endif\n"
    program = parse_kernel("k.cu", f"{text}{HEAD}y[i] = TWO * a + FOUR;\n}}\n")
    assert [str(s.value) for s in run(program).stores] == ["w_add(w_mul(2.0, a), 4.0)"]


@pytest.mark.parametrize("text", [
    "#ifndef MY_KERNEL_CUH_\n#define MY_KERNEL_CUH_\n#endif\n", "#pragma once\n#ifndef A_H\n#define A_H\n#define B 1\n#if B\n#endif\n#endif\n",
    "#undef DEBUG\n#ifdef DEBUG\n#error no\n#endif\n", "#if 0\n#endif\n", "#if defined(__CUDACC__) && defined __cplusplus\n#endif\n",
    "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define B 2\n#if MAX(B, 3) == 3\n#endif\n", "#define x2 x[i]\n#define A 1\n#if A\n#endif\n",
    "#define CUDA_CHECK(v) v\n#define M_TILE 4\n",
])
def test_directives_that_are_accepted(text: str) -> None:
    parse_kernel("k.cu", f"{text}{HEAD}y[i] = a;\n}}\n")


@pytest.mark.parametrize(("text", "code"), [
    ("#ifndef BLOCK\n#define BLOCK 256\n#endif\n", "conditional@1"),
    ("#ifdef linux\n#endif\n", "conditional@1"),
    ("#ifdef M_PI\n#endif\n", "conditional@1"),
    ("#if __cplusplus > 201402L\n#endif\n", "conditional@1"),
    ("#if 0\n#elif DEBUG\n#endif\n", "conditional@2"),
    ("#if 0\n#define DEBUG\n#endif\n#ifdef DEBUG\n#endif\n", "conditional@4"),
    ("#if 0\n#define DEBUG\n#elif defined(DEBUG)\n#endif\n", "conditional@3"),
    ("#if 1\n#else\n#define DEBUG\n#endif\n#ifdef DEBUG\n#endif\n", "conditional@5"),
    ("#ifdef LATER\n#endif\n#define LATER\n", "conditional@1"),
    ("#define A B\n#define B C\n#if A\n#endif\n", "conditional@2"),
    ("#define A (C)\n#if A\n#endif\n", "conditional@1"),
    ("#ifndef _MATH_H\n#define _MATH_H\n#endif\n", "conditional@1"),
    ("#include <math.h>\n#define B\n#ifndef CURAND_H_\n#define CURAND_H_\n#endif\n", "conditional@3"),
    ("#undef FLT_MAX\n#define FLT_MAX 1.0f\n", "macro@1 macro@2"),
    ("#define double float\n", "macro@1"), ("#define if(c) while (c)\n", "macro@1"), ("#define threadIdx blockIdx\n", "macro@1"),
    ("#define expf(v) (v)\n", "macro@1"), ("#define CUDART_INF_F 1.0f\n", "macro@1"), ("#define max(a, b) a\n", "macro@1"),
    ("#define INFINITY 1.0f\n", "macro@1"), ("#define size_t int\n", "macro@1"), ("#define ldexpf(a, b) a\n", "macro@1"),
])
def test_directives_that_depend_on_more_than_the_text(text: str, code: str) -> None:
    assert " ".join(refused(f"{text}{HEAD}y[i] = a;\n}}\n")) == " ".join(f"cuda.{c}:1" for c in code.split())


@pytest.mark.parametrize(("name", "call"), [
    ("ldexp", "ldexp(x[i], 3)"), ("scalbnf", "scalbnf(x[i], 3)"), ("saturate", "saturate(x[i], 1)"), ("__mine", "__mine(a, a)"),
    ("norm", "norm(a, a)"), ("exp", "exp(a, a)"),
])
def test_a_function_that_cuda_may_overload(name: str, call: str) -> None:
    text = f"__device__ float {name}(float v, float e) {{ return v * e; }}\n{HEAD}y[i] = {call};\n}}\n"
    assert refused(text) == ["cuda.redefinition@4:8"]


N = 3000
OPEN = "__global__ void k(float* y, float a) { "


@pytest.mark.parametrize("text", [
    f"{OPEN}y[0] = {'- ' * N}a; }}", f"{OPEN}if ({'!' * N}a) y[0] = 1; }}", f"{OPEN}y[0] = {'(' * N}a{')' * N}; }}", f"{OPEN}y[0] = a{' + a' * N}; }}",
    f"{OPEN}{'if (a) ' * N}y[0] = 1; }}", f"{OPEN}{'{' * N}{'}' * N} }}", f"{OPEN}y[0] = {'a ? a : ' * N}a; }}", f"{OPEN}y[0] = {'y[' * N}0{']' * N}; }}",
    f"{OPEN}if (a) y[0] = 1; {'else if (a) y[0] = 1; ' * N}}}", f"{'namespace a { ' * N}{'}' * N}", f"{OPEN}{'y[0] = a; ' * 4 * N} }}",
    # macros multiply
    "#define A - - - - - - - - - - - -\n" + "".join(f"#define {b} {' '.join(a * 12)}\n" for a, b in zip("ABCD", "BCDE", strict=True)) + f"{OPEN}y[0] = E a; }}",
    f"#define F(x) x + x\n{OPEN}y[0] = {'F(' * 26}a{')' * 26}; }}",
    # inlining doubles
    "".join(f"__device__ float f{i}(float v) {{ return {f'f{i - 1}(v) + f{i - 1}(v)' if i else 'v'}; }}\n" for i in range(40)) + f"{OPEN}y[0] = f39(a); }}",
], ids=lambda text: re.sub(r"\s+", " ", text)[:60])
def test_too_deep_or_too_large_is_said(text: str) -> None:
    codes = {r.split("@")[0] for r in refused(text)}
    assert codes & {"cuda.depth", "cuda.size"} and codes <= {"cuda.depth", "cuda.size", "cuda.syntax"}


def test_an_ordinary_kernel_starts_no_process() -> None:
    assert not is_suspicious("#define BLOCK 256\n" + HEAD + "y[i] = a; }")


SEEDS = (
    HEAD + "  if (i >= n) return;\n  float v = x[i];\n  y[i] = v > 0.0f ? v : 0.01f * v;\n}\n",
    "#include <math.h>\n__device__ float f(float v) { if (v < 0) return -v; return v; }\n" + HEAD
    + "  const float c = 1.0f / 3.0f; bool b = i < n && x[i] != 2;\n  if (b) { y[i] += f(c) * __ldg(&x[i]); } else { y[i] = 0.5 ? 1 : expf(a); }\n}\n",
)
SPICE = ("*", "/", "(", ")", "{", "}", ";", "0", "1e39f", "nan", "float", "double", "int", "&", "#", "\\\n", '"', "'", "//", "/*", "*/", "x", "y[i]", "return",
         "if", "else", "for", "<<<", ">>>", "::", "~", "%", "auto", "const", "static", "template<", "operator", "\0", "\u00e9", "sizeof",
         "?", ":", "->", "...", "struct S", "[]")


def mutated(rng: random.Random) -> str:
    """A kernel with a few tokens replaced, removed, doubled, moved or spiced."""
    tokens = re.findall(r"\w+|\s+|[^\w\s]", rng.choice(SEEDS))
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(tokens))
        tokens[at:at + 1] = rng.choice(([], [tokens[at]] * 2, [rng.choice(SPICE)], [tokens[at], rng.choice(SPICE)], [rng.choice(tokens)]))
    return "".join(tokens)


def test_mutated_kernels_never_crash() -> None:
    """Each of 300 mutants is a program, or refused by known codes."""
    rng, accepted = random.Random(seed()), 0
    for _ in range(300):
        text = mutated(rng)
        try:
            program = parse_kernel("k.cu", text)
            assert isinstance(program, Program)
            run(program)
            accepted += 1
        except Rejected as e:
            assert {r.code for r in e.rejections} <= set(TABLE), text
        except UsageError as e:
            assert "--function" in str(e), text
        except Exception as e:
            raise AssertionError(f"{type(e).__name__}: {e}\n{text}") from e
    assert 0 < accepted < 300


def test_a_suspicious_text_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reading and each device parses it again; the process that tries it first would cost more than all of that."""
    commands: list[object] = []
    real = subprocess.run

    def count(command: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
        commands.append(command)
        return real(command, **options)

    monkeypatch.setattr(subprocess, "run", count)
    text = "#define TWICE(v) ((v) * 2.0f)\n" + HEAD + "  if (i < n) y[i] = TWICE(x[i]);\n}\n"
    assert is_suspicious(text)
    for _ in range(2):
        assert parse_kernel("k.cu", text).function == "k"
    assert device_text(text, "k.cu") == text and signature("k.cu", text.encode(), None).function == "k"
    assert len(commands) == 1
    assert parse_kernel("k.cu", text, "k").function == "k"
    assert len(commands) == 2
