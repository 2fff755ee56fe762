"""Loops with a number of turns in the text, written out: what a thread then stores, and what still stands in the way."""

from __future__ import annotations

import pytest

from devsem.errors import Rejected
from devsem.frontend.cuda import parse_kernel
from devsem.symbolic import run, show
from devsem.unroll import MAX_STATEMENTS, flatten

HEAD = "__global__ void k(const float* x, float* y, int n, float a) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
I = "add_b32(mul_b32(blockIdx.x, blockDim.x), threadIdx.x)"


def stored(body: str) -> str:
    """The thread's last store."""
    return show(run(parse_kernel("k.cu", f"{HEAD}{body}\n}}"))).splitlines()[-1].removeprefix(f"y[{I}] = ")


@pytest.mark.parametrize(("body", "value"), [
    ("float s = 0; for (int j = 0; j < 3; ++j) s += a; y[i] = s;", "w_add(w_add(w_add(0.0, a), a), a)"),
    ("float s = a; int j = 4; while (j > 0) { j -= 2; s = s * s; } y[i] = s;", "w_mul(w_mul(a, a), w_mul(a, a))"),
    ("float s = a; do { s = -s; } while (false); y[i] = s;", "w_neg(a)"),
    ("float s = a; for (int j = 0; j < 9; ++j) { if (j == 1) continue; if (j == 3) break; s = s + j; } y[i] = s;", "w_add(w_add(a, 0.0), 2.0)"),
    ("float s = a; for (int j = 0; j < 2; ++j) for (int k = j; k < 2; ++k) s = s + k; y[i] = s;", "w_add(w_add(w_add(a, 0.0), 1.0), 1.0)"),
    ("float c[3] = {1.0f, a}; float s = 0; for (int j = 2; j >= 0; --j) s += c[j]; y[i] = s;", "w_add(w_add(0.0, a), 1.0)"),
    ("float c[2][2]; for (int j = 0; j < 4; ++j) c[j / 2][j % 2] = a * (float)j; y[i] = c[1][0];", "w_mul(a, 2.0)"),
    ("for (int j = 0; j < 4; ++j) { if (j == 2) { y[i] = a * j; return; } }", "w_mul(a, 2.0)"),
    ("float s = a; for (unsigned j = 8; j > 0; j >>= 1) s += j; y[i] = s;", "w_add(w_add(w_add(w_add(a, 8.0), 4.0), 2.0), 1.0)"),
    ("y[i] = a; for (int j = 0; j < 0; ++j) y[i] = 2;", "a"),
])
def test_a_counted_loop_is_written_out(body: str, value: str) -> None:
    assert stored(body) == value


@pytest.mark.parametrize(("body", "codes"), [
    ("for (int j = 0; j < n; ++j) y[i] = a;", ["plain.loop@3:1"]),
    ("for (int j = 0; j < 4; ++j) { if (a > j) break; y[i] = a; }", ["plain.loop@3:1", "plain.operation@3:31", "plain.loop@3:42"]),
    ("for (int j = 0; j < 100000; ++j) y[i] = a;", ["plain.loop@3:1"]),
    ("float c[2]; for (int j = 0; j < 2; ++j) c[j] = a; y[i] = c[i];", ["plain.array@3:7"]),
    ("float c[2]; for (int j = 0; j < 3; ++j) c[j] = a; y[i] = c[0];", ["plain.array@3:7"]),
    ("float c[2]; c[0] = 1; y[i] = c[1];", ["cuda.uninitialized@3:30"]),
    ("__shared__ float s[2]; s[0] = a; __syncthreads(); y[i] = s[0];", ["plain.array@3:18", "plain.barrier@3:34"]),
    ("y[i] = n / 2;", ["plain.operation@3:1", "plain.operation@3:1"]),
])
def test_what_is_not_written_out(body: str, codes: list[str]) -> None:
    with pytest.raises(Rejected) as caught:
        run(parse_kernel("k.cu", f"{HEAD}{body}\n}}"))
    assert [f"{r.code}@{r.where.line}:{r.where.column}" for r in caught.value.rejections] == codes


def test_a_loop_that_would_be_long_stays() -> None:
    program = parse_kernel("k.cu", f"{HEAD}for (int j = 0; j < 900; ++j) for (int k = 0; k < 900; ++k) y[i] = a;\n}}")
    assert MAX_STATEMENTS < 900 * 900
    assert flatten(program).body[-1].__class__.__name__ == "Loop"
