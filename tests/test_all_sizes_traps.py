"""Kernels that write something else than they seem to: none is proved, and where the difference is in the values, it is shown.

The gate passes each of them (they are safe); it is left out here for time.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import pytest

from devsem import all_sizes
from devsem.all_sizes import Safe
from devsem.case import Case, kernel_case
from devsem.cells import Limits
from devsem.decide import Decision
from devsem.frontend.cuda import translate
from devsem.frontend.cuda_source import read
from devsem.profile import load_open
from devsem.verdict import Safety

HEAD = 'extern "C" __global__ void k(const float* x, float* y, int n, int m) { int i = blockIdx.x * 256 + threadIdx.x; '
COPY = "if (i < n) y[i] = x[i];"
LEAVE = "if (i >= n) return; "
SHARED = "__shared__ float s[256]; s[threadIdx.x] = 0.0f; put(s, i < n ? x[i] : 0.0f); __syncthreads(); if (i < n) y[i] = s[threadIdx.x];"
SUM = "if (i < n) {{ float a = 0.0f; for (int k = 0; k < m; ++k) a += x[{}]; y[i] = a; }}"


def stage(_: str) -> AbstractContextManager[None]:
    return nullcontext()


def case(text: str, bind: str) -> Case:
    return kernel_case(translate(read("k.cu", text), "k"), "grid=(n+255)/256 block=256", bind, ())


def decided(monkeypatch: pytest.MonkeyPatch, kernel: str, spec: str, bind: str = "x=n+m+8,y=n") -> Decision:
    """The decision on the reference arithmetic, before Lean has judged it."""
    monkeypatch.setattr(all_sizes, "safe", lambda case, seconds: Safe(Safety("PASS"), ""))
    monkeypatch.setattr(all_sizes, "_second", lambda case, spec, sources: None)
    limits = Limits("bits", 20.0, stage)
    asked = all_sizes.ask(case(kernel, bind), case(spec, bind), limits, lambda _: None, ())
    return all_sizes.decided(asked, load_open("ieee", ""), limits)


@pytest.mark.parametrize(("kernel", "spec", "function"), [
    pytest.param("if (i < n) y[i] = f(x[i], m);", COPY, "float f(float u, int j) { if (j > 1) { if (u < 0.0f) return -u; } return u; }", id="inner return"),
    pytest.param("if (i < n) y[i] = f(x[i]);", "if (i < n) y[i] = 0.0f;", "float f(float u) { if (u < 0.0f) return -u; else return u; return 0.0f; }",
                 id="after returns"),
    pytest.param("if (i < n) { int j = 4; for (; j < m; ++j) {} y[i] = x[j % n]; }", "if (i < n) y[i] = x[m % n];", "", id="no round"),
    pytest.param(LEAVE + "float a[2]; a[0] = x[i]; a[1] = 1.0f; a[i % 2] = 2.0f; y[i] = a[0];", COPY, "", id="one cell by two indices"),
    pytest.param(LEAVE + "float a[1]; a[0] = 0.0f; put(a, x[i]); y[i] = a[0];", COPY, "void put(float* a, float v) { if (v < 0.0f) return; a[0] = v; }",
                 id="store after return"),
    pytest.param(SHARED, COPY, "void put(float* a, float v) { if (v < 0.0f) return; if (v > 1.0f) a[threadIdx.x] = v; else a[threadIdx.x] = v; }",
                 id="shared store after return"),
    pytest.param("if (i < n) { if ((unsigned)(i - 5) < (unsigned)n) y[i] = x[i]; else y[i] = i >= 5 ? x[i] : 0.0f; }", COPY, "", id="unsigned"),
    pytest.param("if (i < n) { int c = 0; for (int k = 0; k < m; ++k) c += x[k] > 0.0f ? 1 : 0; y[i] = (float)c; }",
                 "if (i < n) { int c = 0; for (int k = 0; k < m; ++k) c += x[0] > 0.0f ? 1 : 0; y[i] = (float)c; }", "", id="count of data"),
    pytest.param("if (i < n) { int c = x[i] > 0.0f ? 1 : 2; y[i] = x[c]; }", "if (i < n) { int c = x[0] > 0.0f ? 1 : 2; y[i] = x[c]; }", "",
                 id="index of data"),
    pytest.param("if (i < n) y[(size_t)(unsigned)(i - 1) % (size_t)n] = x[(size_t)((long long)i - 1) % (size_t)n];", COPY, "", id="widened"),
    pytest.param(SUM.format("i + k"), SUM.format("i + m - 1 - k"), "", id="order"),
])
def test_a_trap_is_not_proved(monkeypatch: pytest.MonkeyPatch, kernel: str, spec: str, function: str) -> None:
    before = f"__device__ {function}\n" if function else ""
    assert decided(monkeypatch, f"{before}{HEAD}{kernel} }}", f"{HEAD}{spec} }}").verdict != "PROVED"


def test_what_differs_only_in_form_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = "if (i >= n) return; float a[2]; a[0] = x[i]; a[1] = 1.0f; a[1] = 2.0f; y[i] = (unsigned)i < (unsigned)n ? a[0] : 7.0f;"
    assert decided(monkeypatch, f"{HEAD}{kernel} }}", f"{HEAD}{COPY} }}").verdict == "PROVED"


def test_integers_that_are_no_size_are_said_to_be_positive(monkeypatch: pytest.MonkeyPatch) -> None:
    found = decided(monkeypatch, f"{HEAD}if (i < n) y[i] = m > 0 ? x[i] : 0.0f; }}", f"{HEAD}{COPY} }}", "x=n,y=n")
    assert found.verdict == "PROVED"
    assert "the kernels' integers are 1 to 1073741824: n, m" in found.assumptions


@pytest.mark.parametrize(("index", "same"), [("i * m + j", True), ("j * n + i", True), ("i * m + j * (m - 1)", False), ("i * m + j * threadIdx.x", False)])
def test_rounds_that_may_come_to_an_element_again_do_not_update_it(monkeypatch: pytest.MonkeyPatch, index: str, same: bool) -> None:
    kernel = f"if (i < n) for (int j = 0; j < m; ++j) y[{index}] = y[{index}] + 1.0f;"
    found = decided(monkeypatch, f"{HEAD}{kernel} }}", f"{HEAD}if (i < n) y[i] = y[i] + 1.0f; }}")
    assert (found.verdict == "PROVED") is same


def test_two_loops_do_not_update_an_element(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = "if (i < n) for (int j = 0; j < m; ++j) for (int l = 0; l < m; ++l) y[i + j + l] = y[i + j + l] + 1.0f;"
    assert decided(monkeypatch, f"{HEAD}{kernel} }}", f"{HEAD}if (i < n) y[i] = y[i] + 1.0f; }}").verdict != "PROVED"


INDICES = 'extern "C" __global__ void k(const float* x, const int* p, const int* q, float* y, int n) { int i = blockIdx.x * 256 + threadIdx.x; '


def test_indices_from_memory_are_not_confused(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (f"{INDICES}if (i < n) y[i] = x[(unsigned){a}[i] % (unsigned)n]; }}" for a in "pq")
    assert decided(monkeypatch, one, other, "x=n,p=n,q=n,y=n").verdict != "PROVED"


@pytest.mark.parametrize("last", ["float* z", "const float* z"])
def test_an_output_that_the_kernel_does_not_write_is_missed(monkeypatch: pytest.MonkeyPatch, last: str) -> None:
    spec = 'extern "C" __global__ void k(const float* x, float* y, float* z, int n) { int i = blockIdx.x * 256 + threadIdx.x; '
    found = decided(monkeypatch, f"{spec.replace('float* z', last)}{COPY} }}", f"{spec}if (i < n) {{ y[i] = x[i]; z[i] = x[i]; }} }}", "x=n,y=n,z=n")
    assert found.verdict == "OPEN"
    assert found.reason == "the kernel writes y, the specification y, z"


def test_statements_that_may_write_one_element_twice_are_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    found = decided(monkeypatch, f"{HEAD}if (i < n) {{ y[i] = x[i]; if (n > 5) y[i] = x[i]; }} }}", f"{HEAD}{COPY} }}")
    assert found.verdict == "OPEN"
    assert "two statements" in found.reason


@pytest.mark.parametrize(("leave", "same"), [("k >= m", True), ("k > m", False), ("k >= m - 1", False)])
def test_a_round_may_begin_with_a_break(monkeypatch: pytest.MonkeyPatch, leave: str, same: bool) -> None:
    kernel = f"if (i < n) {{ float a = 0.0f; for (int k = 0; ; ++k) {{ if ({leave}) break; a += x[i + k]; }} y[i] = a; }}"
    assert (decided(monkeypatch, f"{HEAD}{kernel} }}", f"{HEAD}{SUM.format('i + k')} }}").verdict == "PROVED") == same
