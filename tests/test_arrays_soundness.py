"""What the launch of fixed size reads in a kernel is what NVRTC's code does: a small run of bench/arrays_soundness.py, and what it found before.

`python bench/arrays_soundness.py 1 --first NUMBER` repeats one of the random kernels.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))

import arrays_soundness
import summary_soundness
import text_fuzz
from arrays_draw import draw
from arrays_soundness import Question, check, question

HEAD = "__global__ void k0(const float* a, const float* b, float* y, int n, int m, unsigned u, float s) {\n  int t = blockIdx.x * blockDim.x + threadIdx.x;\n"


def kernel(body: str, before: str = "", m: int = 3) -> Question:
    """A kernel of two blocks of four threads, each of which owns an element of y."""
    return Question(0, "k0", f"{before}\n{HEAD}{body}\n}}\n", {"a": 64, "b": 16, "y": 8}, (2, 1, 1), (4, 1, 1), {"n": 8, "m": m, "u": 7})


CALLED = "__device__ float twice(float u, int j) { if (j > 1) return u; float t = u + u; return t; }"
FOUND = {   # each was read otherwise once
    "a parameter that is assigned": "s = s + a[t]; if (t > 2) n = t; m = m - 1; y[t] = s * (float)(n + m);",
    "a parameter that is assigned under a condition on floats": "if (a[t] < 0.5f) s = 2.0f; y[t] = s + a[t];",
    "a call in a loop": "float v = a[t]; for (int j = 0; j < 3; ++j) v = twice(v, j) + 1.0f; y[t] = v;",
    "a parameter that counts down": "float v = a[t]; for (; m > 0; m--) v = v + a[m * 8 + t]; y[t] = v + (float)m;",
}


@pytest.mark.parametrize("name", FOUND)
def test_what_was_read_wrongly(name: str) -> None:
    results = [(flags, path, found) for _, flags, path, found in check([kernel(FOUND[name], CALLED)], ("", "-fmad=false", "-ftz=true"))]
    assert "equal" in {found.result for *_, found in results} and all(found.result != "differs" for *_, found in results), results


def test_nothing_differs_among_random_kernels() -> None:
    results = [(q.number, flags, path, found) for q, flags, path, found in check([question(draw(n)) for n in range(12)], ("-fmad=false", "-ftz=true"))]
    assert not [r for r in results if r[3].result == "differs"]
    assert sum(found.result == "equal" for *_, found in results) >= 10


def test_what_is_read_for_all_sizes_is_what_a_launch_does() -> None:
    results = [summary_soundness.compare(question(draw(n))) for n in (*range(24), 5314)]
    assert "differs" not in {r.result for r in results} and sum(r.result == "equal" for r in results) >= 5


def test_mutated_texts_are_read_or_refused() -> None:
    assert "WRONG" not in text_fuzz.run((*range(40), 1347))


def test_a_difference_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    q = kernel("y[t] = a[t] + b[t];")
    other = arrays_soundness.ours(kernel("y[t] = a[t] - b[t];"))
    monkeypatch.setattr(arrays_soundness, "ours", lambda _: other)
    assert {found.result for *_, found in check([q], ("-fmad=false",))} == {"differs"}
