"""The safety gate on CUDA text of many shapes: clean kernels are safe for all sizes, each planted fault is not passed."""

from __future__ import annotations

import pytest
from gate_kernels import CLEAN, PLANTED, N, ceil, setting, size

from devsem.frontend.cuda import parse_kernel
from devsem.gate import gate

FAST = {"slice", "naive matmul", "tiled matmul", "n % 4", "barrier in a branch", "zero divisor"}


def listed(names: object) -> list[object]:
    """All of them, most as slow tests."""
    return [n if n in FAST else pytest.param(n, marks=pytest.mark.slow) for n in names]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", listed(CLEAN))
def test_a_clean_kernel_is_safe_for_all_sizes(name: str) -> None:
    text, setting = CLEAN[name]
    found = gate(parse_kernel("k.cu", text), setting)
    assert (found.verdict, found.reason) == ("PASS", "")


@pytest.mark.parametrize("name", listed(PLANTED))
def test_a_planted_fault_is_not_passed(name: str) -> None:
    text, old, new, setting, reason = PLANTED[name]
    assert old in text
    found = gate(parse_kernel("k.cu", text.replace(old, new, 1)), setting)
    assert found.verdict != "PASS"
    assert any(reason in q.reason for q in found.questions if q.verdict != "PASS")


LINE = setting({"x": (N,)}, ("y", (N,)), (ceil(N, 256),), (256,), {"n": N}, (N,))
BLOCK = setting({"x": (N,)}, ("y", (N,)), (size(1),), (256,), {"n": N}, (N,))
HEAD = "__global__ void k(const float* x, float* y, int n) { __shared__ float s[512]; int t = threadIdx.x, i = blockIdx.x * blockDim.x + t; "
END = " if (i < n) y[i] = x[i]; }"
CONTROL = {     # what a loop does to its variables, its threads and its barriers
    "a round that stays": ("int q = 0; while (q < 4) { if (q == 2) continue; q++; }" + END, LINE, "OPEN"),
    "a round that may stay": ("int q = 0; while (q < n) { if (x[q] > 2.0f) continue; q++; }" + END, LINE, "FAIL"),
    "rounds that differ by thread": ("int m = 0; for (int j = 0; j < t; j++) m++; for (int q = 0; q < m; q++) __syncthreads();" + END, LINE, "FAIL"),
    "rounds that are the block's": ("int m = 0; for (int j = 0; j < n; j++) m++; for (int q = 0; q < m; q++) __syncthreads();" + END, LINE, "PASS"),
    "left before a barrier": ("for (int q = 0; q < n; q++) { if (x[q] > 0.0f) break; __syncthreads(); }" + END, LINE, "OPEN"),
    "left before a store": ("for (int j = t; j < n; j += 256) { if (x[j] > 0.0f) break; y[j] = x[j]; } }", BLOCK, "OPEN"),
    "one branch stores": ("for (int j = t; j < n; j += 256) { if (x[j] > 0.0f) y[j] = x[j]; } }", BLOCK, "OPEN"),
    "both branches store": ("for (int j = t; j < n; j += 256) { if (x[j] > 0.0f) y[j] = x[j]; else y[j] = 0.0f; } }", BLOCK, "PASS"),
    "downward": ("for (int j = n - 1 - t; j >= 0; j -= 256) y[j] = x[j]; }", BLOCK, "PASS"),
    "one round is left out": ("for (int j = t; j < n; j += 256) { if (j == 5) continue; y[j] = x[j]; } }", BLOCK, "OPEN"),
    "two buffers": ("for (int q = 0; q < 4; q++) { s[(q & 1) * 256 + t] = x[0]; __syncthreads(); float v = s[(q & 1) * 256 + 255 - t]; "
                    "if (i < n) y[i] = v; } }",
                    LINE, "PASS"),
    "one buffer": ("for (int q = 0; q < n; q++) { s[t] = x[0]; __syncthreads(); float v = s[255 - t]; if (i < n) y[i] = v; } }", LINE, "FAIL"),
    "a round without the barrier": ("for (int q = 0; q < n; q++) { if (q % 2 == 0) __syncthreads(); s[t] = 1.0f; }" + END, LINE, "OPEN"),
    "never ends": ("for (int j = 0; j < n; j += 0) { }" + END, LINE, "OPEN"),
    "written again by the neighbour": ("if (i < n) y[i] = x[i]; __syncthreads(); if (i < n && t > 0) y[i - 1] = x[i]; }", LINE, "FAIL"),
    "its own output first": ("if (i < n) y[i] += x[i]; }", LINE, "OPEN"),
    "a local array": ("float a[4]; for (int j = 0; j < 3; j++) a[j] = x[0]; if (i < n) y[i] = a[3]; }", LINE, "OPEN"),
}


@pytest.mark.parametrize("name", CONTROL)
def test_control_flow(name: str) -> None:
    text, given, verdict = CONTROL[name]
    found = gate(parse_kernel("k.cu", HEAD + text), given)
    assert found.verdict == verdict, found.reason
