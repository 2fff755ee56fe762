"""The kernel language, part by part: what the front end reads, run thread by thread, leaves the memory that NVRTC's code leaves."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from devsem.emulator import launch
from devsem.errors import Rejected, UsageError
from devsem.evaluate import evaluate
from devsem.expr import variables
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.nvrtc import compile_device, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Function, Variable
from devsem.instance import Extent, Instance
from devsem.lower import lower
from devsem.ops import F32
from devsem.profile import load_profile
from devsem.program import show
from devsem.threads import run

Three = tuple[int, int, int]
Array = npt.NDArray[Any]
F = np.float32
SOURCE = Path(__file__).resolve().with_name("language.cu")
ONE = (1, 1, 1)


@cache
def compiled() -> tuple[dict[str, Function], tuple[Variable, ...]]:
    """tests/language.cu, compiled once without contraction, and its arrays outside functions."""
    made = compile_device(SOURCE.read_text(encoding="utf-8"), file="language.cu", arch="sm_90", options=nvrtc_options("-fmad=false"))
    module = parse(made.ptx, "language.ptx")
    return {f.name: f for f in module.functions}, module.variables


def numbers(n: int) -> Array:
    """Numbers of several magnitudes, whose sums depend on their order."""
    draw = np.random.default_rng(n)
    return (draw.standard_normal(n) * 2.0 ** draw.integers(-3, 4, n)).astype(F)


# kernel, grid, block, elements of x, elements of y, bytes of dynamic shared memory
KERNELS: tuple[tuple[str, Three, Three, int, int, int], ...] = (
    ("loops", (2, 1, 1), (8, 1, 1), 40, 16, 0), ("early", ONE, (16, 1, 1), 16, 16, 0), ("integers", ONE, (12, 1, 1), 12, 12, 0),
    ("casts", ONE, (12, 1, 1), 12, 12, 0), ("pointers", ONE, (4, 1, 1), 16, 4, 0), ("references", ONE, (8, 1, 1), 16, 8, 0),
    ("records", ONE, (8, 1, 1), 16, 8, 0), ("vectors", ONE, (4, 1, 1), 16, 16, 0), ("local_arrays", ONE, (6, 1, 1), 16, 6, 0),
    ("shared_tiles", ONE, (8, 8, 1), 64, 64, 512), ("exchanges", ONE, (32, 1, 1), 32, 32, 0), ("choices", ONE, (16, 1, 1), 16, 16, 0),
    ("lambdas", ONE, (8, 1, 1), 16, 8, 0), ("generic", ONE, (8, 1, 1), 16, 8, 0),
)


@pytest.mark.parametrize(("name", "grid", "block", "taken", "given", "dynamic"), [pytest.param(*row, id=row[0]) for row in KERNELS])
def test_memory_is_that_of_the_compiled_kernel(name: str, grid: Three, block: Three, taken: int, given: int, dynamic: int) -> None:
    program, x = parse_kernel("language.cu", SOURCE.read_text(encoding="utf-8"), name), numbers(taken)
    instance = Instance(grid, block, dynamic, {"x": Extent("x", taken, "input"), "y": Extent("y", given, "empty")}, {"n": taken})
    outcome = run(program, instance)
    assert outcome.fault is None and outcome.complete, str(outcome.fault)
    values = [lower(c, load_profile("ieee"), ()) for c in outcome.memory["y"] if c is not None]
    env = {v: np.array([x[int(v.name.partition("[")[2][:-1])]], F).view(np.uint32) for v in variables(*values)}
    found = np.array([int(a.reshape(-1)[0]) for a in evaluate(values, env)], np.uint32)
    functions, variables_ = compiled()
    result = launch(functions[name], [x, np.full(given, 1e30, F), taken], grid, block, shared_bytes=dynamic, variables=variables_)
    assert result.fault is None, str(result.fault)
    expected = result.memory[1]
    assert expected is not None and found.view(F).tolist() == expected.view(F).tolist() and found.tolist() == expected.view(np.uint32).tolist()
    assert len(set(found.tolist())) > min(given, 4) - 1


def test_every_kernel_is_run() -> None:
    assert {k[0] for k in KERNELS} | {"words"} == compiled()[0].keys()


def test_integers_in_memory() -> None:
    program = parse_kernel("language.cu", SOURCE.read_text(encoding="utf-8"), "words")
    assert [(p.type, p.sort == F32) for p in program.params] == [("const int*", False), ("int*", False), ("int", False)]


VECTORS = """__global__ void other(float* y) { y[0] = undeclared; }
__global__ void k(const float4* __restrict__ x, float4* y, int n) {
  y++;
  if (n > 0) y->x = x[n].w;
}
"""
TEMPLATES = """template <typename T, int N> __global__ void t(T* y) { y[N] = N; }
template <int N> __global__ void u(float* y) { y[N] = 1; }
template <int N = 2> __global__ void d(float* y) { y[N] = 1; }
void host(torch::Tensor a) {
  AT_DISPATCH_FLOATING_TYPES(a.type(), "x", ([&] { t<scalar_t, 64><<<1, 64>>>(a.data_ptr<scalar_t>()); }));
  u<3><<<1, 2>>>(a.data_ptr<float>());
  u<4><<<1, 2>>>(a.data_ptr<float>());
}
"""


def test_parameters_that_are_vectors_are_buffers_of_numbers() -> None:
    """Names stay apart: the pointer that moves is `y.1`, and a copy of it would be `y.2`. What is wrong in another kernel does not matter."""
    assert show(parse_kernel("k.cu", VECTORS, "k")).splitlines() == [
        "kernel k(const float* x, float* y, int n)", "  y.1 = 0", "  y.1 = add_b64(y.1, 4)", "  if slt_b32(0, n)",
        "    aligned x[mul_b64(sext(n), 4)], 4 elements", "    x@0 = x[add_b64(mul_b64(sext(n), 4), 3)]", "    aligned y[y.1], 4 elements", "    y[y.1] = x@0"]


@pytest.mark.parametrize(("name", "template", "shown"), [
    ("t", (), "kernel t(float* y)\n  y[64] = 64.0"),              # as launched, with the type that PyTorch's macros choose
    ("t", ("int", "3"), "kernel t(int* y)\n  y[3] = 3"),
    ("u", ("5",), "kernel u(float* y)\n  y[5] = 1.0"),
    ("d", (), "kernel d(float* y)\n  y[2] = 1.0"),
])
def test_templates_are_instantiated(name: str, template: tuple[str, ...], shown: str) -> None:
    assert show(parse_kernel("k.cu", TEMPLATES, name, template)) == shown


def test_templates_that_are_not() -> None:
    with pytest.raises(UsageError, match="several template arguments: choose one of <3>; <4>"):
        parse_kernel("k.cu", TEMPLATES, "u")
    with pytest.raises(UsageError, match="neither a type nor a number"):
        parse_kernel("k.cu", TEMPLATES, "u", ("1>; int x; auto y = &u<1",))
    for given in ((), ("float",)):
        with pytest.raises(Rejected) as caught:
            parse_kernel("k.cu", TEMPLATES.replace("u<3><<<", "v(").replace("u<4><<<", "v("), "u", given)
        assert [(r.code, r.where.line, r.where.column) for r in caught.value.rejections] == [("cuda.template", 2, 34)]


@pytest.mark.parametrize(("body", "codes"), [
    ("y[i] = x[i++] + i;", ["cuda.side_effect@2:8"]),
    ("y[0] = set(y, 1) + y[0];", ["cuda.side_effect@2:8"]),
    ("y[i] = i / 0;", ["cuda.integer_op@2:8"]),
    ("y[i] = 1 << 32;", ["cuda.integer_op@2:8"]),
    ("y[i] = (int)3e9f;", ["cuda.float_to_int@2:13"]),
    ("const float* p; p = x; y[i] = p[0];", ["cuda.pointer@2:14"]),
    ("const float* p = i ? x : y; y[i] = p[0];", ["cuda.pointer@2:18"]),
    ("const float* p = x; p = y; y[i] = p[0];", ["cuda.pointer@2:21"]),
    ("y[i] = ((const int*)x)[i];", ["cuda.reinterpret@2:9"]),
    ("float v[1 << 20]; y[i] = v[0];", ["cuda.size@2:7"]),
    ("extern __shared__ float a[]; extern __shared__ float b[]; y[i] = a[0];", ["cuda.shared@2:54"]),
    ("switch (i) { case 0: y[i] = 1; case 1: y[i] = 2; }", ["cuda.switch@2:1"]),
    ("struct S { float v; __device__ S() { v = 1; } }; S s; y[i] = s.v;", ["cuda.struct@2:52"]),
    ("float w[2] = {1, 2}; for (float v : w) y[i] = 1;", ["cuda.range_for@2:22"]),
    ("float s = 0; found(x, s, i); y[i] = s;", ["cuda.loop_return@2:14"]),
    ("static float v = 1; y[i] = v;", ["cuda.static@2:14"]),
    ("y[i] = __ballot_sync(~0u, i);", ["cuda.warp@2:8"]),
])
def test_what_is_still_refused(body: str, codes: list[str]) -> None:
    before = ("__device__ float set(float* p, int i) { p[i] = 1; return 2; } "
              "__device__ void found(const float* p, float& s, int n) { for (int j = 0; j < n; ++j) if (p[j] > 0) { s = p[j]; return; } s = 1; } ")
    with pytest.raises(Rejected) as caught:
        parse_kernel("k.cu", before + "__global__ void k(const float* x, float* y, int i) {\n" + body + "\n}")
    assert [f"{r.code}@{r.where.line}:{r.where.column}" for r in caught.value.rejections] == codes
