"""Kernels one step away from their spec or from another kernel are never PROVED for all sizes; the kernels without that step are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from devsem.pipeline import verify
from devsem.request import Request

NEGATED = ("import torch\nimport torch.nn as nn\nclass Model(nn.Module):\n    def forward(self, x):\n        return -x\n"
           "def get_inputs():\n    return [torch.randn(4096)]\n")
ONE = "extern \"C\" __global__ void k(const float* x, float* y, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) {{ {} }} }}\n"
TWO = ("extern \"C\" __global__ void k(const float* x, const float* w, float* y, int n, int m) {{ "
       "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) {{ {} }} }}\n")
SUM = "float s = 0.0f; for (int j = 0; j < n; ++j) s += x[j]; y[i] = s;"
MAXIMUM = "float s = -INFINITY; for (int j = 0; j < n; ++j) s = fmaxf(s, x[j]); y[i] = s;"
HALVES = "float s = x[i]; for (int j = 0; j < m; ++j) s = s * 0.5f; y[i] = s;"
FUSED = "float s = 0.0f; for (int j = 0; j < m; ++j) s = fmaf(x[i], w[i], s); y[i] = s;"
GRID, BIND = "grid=(n+255)/256 block=256", "x=n,w=n,y=n"


@dataclass(frozen=True)
class Miss:
    """A kernel's body against -x (`spec` is empty), or against another kernel's body; on what device."""

    body: str
    spec: str = ""
    device: str = "ieee"
    true: bool = False


MISSES = {
    # words read without a sign, and quotients, bits and differences of words below zero
    "true": Miss("y[i] = i < n ? -x[i] : 7.0f;", true=True),
    "an unsigned difference below zero": Miss("y[i] = ((unsigned)(i - 1) < (unsigned)n) ? -x[i] : 7.0f;"),
    "extended without a sign": Miss("y[i] = ((long long)(unsigned)(i - 1) < (long long)n) ? -x[i] : 7.0f;"),
    "a product that wraps": Miss("y[i] = ((unsigned)i * 8u >= (unsigned)i) ? -x[i] : 7.0f;"),
    "a word cut off": Miss("y[i] = ((int)((long long)i << 31) >= 0) ? -x[i] : 7.0f;"),
    "an unsigned condition around a store": Miss("if ((unsigned)(i - 1) < (unsigned)(n - 1)) y[i] = -x[i]; else y[i] = 7.0f;"),
    "a fact that is none": Miss("if ((unsigned)i < (unsigned)(i - 1)) { y[i] = i == 0 ? 7.0f : -x[i]; } else y[i] = -x[i];"),
    "a shifted negative": Miss("y[i] = ((unsigned)(i - 1) >> 31) == 0u ? -x[i] : 7.0f;"),
    "an unsigned quotient": Miss("y[i] = ((unsigned)(i - 1) / 2u) <= (unsigned)n ? -x[i] : 7.0f;"),
    "a negative remainder": Miss("y[i] = ((i - 1) % 2) >= 0 ? -x[i] : 7.0f;"),
    "a bound that holds but for the first": Miss("y[i] = max(i - 1, 0) == i - 1 ? -x[i] : 7.0f;"),
    "one element": Miss("y[i] = i == 77 ? x[i] : -x[i];"),
    "the last element": Miss("y[i] = i + 1 == n ? x[i] : -x[i];"),
    "one size": Miss("y[i] = n == 12345 ? x[i] : -x[i];"),
    "every second": Miss("y[i] = (i & 1) ? x[i] : -x[i];"),
    # loops of no rounds, and what is left behind a loop
    "a counter behind a loop of no rounds": Miss("int j = 5; for (; j < n; ++j) {} y[i] = j == n ? -x[i] : 7.0f;"),
    "a store that no thread comes to": Miss("if (i > n) y[i] = 7.0f; else y[i] = -x[i];", true=True),
    "a loop of no rounds where n is small": Miss("float v = 7.0f; for (int j = 3; j < n; ++j) v = -x[i]; y[i] = v;"),
    "the negative of zero": Miss("float v = 0.0f; for (int j = 0; j < 1; ++j) v = v - x[i]; y[i] = v;"),
    # against another kernel
    "rounds by unsigned numbers": Miss("float s = x[i]; for (unsigned j = 0; j < (unsigned)m - 2u; ++j) s = s * 0.5f; y[i] = s;",
                                       "float s = x[i]; for (int j = 0; j < m - 2; ++j) s = s * 0.5f; y[i] = s;"),
    "rounds from one": Miss("float s = x[i]; for (int j = 1; j < m; ++j) s = s * 0.5f; y[i] = s;", HALVES),
    "rounds from one to the last": Miss("float s = x[i]; for (int j = 1; j <= m; ++j) s = s * 0.5f; y[i] = s;",
                                        HALVES, true=True),
    "rounds of two": Miss("float s = x[i]; for (int j = 0; j < m; j += 2) s = s * 0.5f; y[i] = s;",
                          "float s = x[i]; for (int j = 0; j < m / 2; ++j) s = s * 0.5f; y[i] = s;"),
    "a sum from the other end": Miss("float s = 0.0f; for (int j = 0; j < n; ++j) s += x[n - 1 - j]; y[i] = s;", SUM),
    "a sum without the first": Miss("float s = 0.0f; for (int j = 0; j < n - 1; ++j) s += x[j + 1]; y[i] = s;", SUM),
    "a sum from minus zero": Miss("float s = -0.0f; for (int j = 0; j < n; ++j) s += x[j]; y[i] = s;", SUM),
    "a sum with operands in the other order": Miss("float s = 0.0f; for (int j = 0; j < n; ++j) s = x[j] + s; y[i] = s;",
                                                   SUM, true=True),
    "a maximum from a number": Miss("float s = -3.402823466e38f; for (int j = 0; j < n; ++j) s = fmaxf(s, x[j]); y[i] = s;",
                                    MAXIMUM),
    "a maximum by comparison": Miss("float s = -INFINITY; for (int j = 0; j < n; ++j) s = x[j] > s ? x[j] : s; y[i] = s;",
                                    MAXIMUM),
    "another kernel that writes one half": Miss("y[i] = x[i];", "if (i < n / 2) y[i] = x[i];"),
    "another kernel that races": Miss("y[i] = x[i];", "for (int j = 0; j < 2; ++j) y[i / (j + 1)] = x[i / (j + 1)];"),
    "a mean by a product": Miss("float s = 0.0f; for (int j = 0; j < n; ++j) s += x[j]; y[i] = s * (1.0f / 3.0f);",
                                "float s = 0.0f; for (int j = 0; j < n; ++j) s += x[j]; y[i] = s / 3.0f;"),
    # what a compiler fuses
    "a product that is the same in every round": Miss("float s = 0.0f; for (int j = 0; j < m; ++j) s += x[i] * w[i]; y[i] = s;",
                                                      FUSED, "h100"),
    "a product before the loop": Miss("float p = x[i] * w[i], s = 0.0f; for (int j = 0; j < m; ++j) s += p; y[i] = s;",
                                      FUSED, "h100"),
    "a product of the round before": Miss("float p = 0.0f, s = 0.0f; for (int j = 0; j < n; ++j) { s += p; p = x[j] * w[j]; } y[i] = s + p;",
                                          "float s = 0.0f; for (int j = 0; j < n; ++j) s = fmaf(x[j], w[j], s); y[i] = s;", "h100"),
    "a product that is stored, too": Miss("float p = x[i] * w[i]; float q = p * p; y[i] = p + q;", "float p = x[i] * w[i]; y[i] = fmaf(p, p, p);", "h100"),
}
FAST = ("an unsigned difference below zero", "a product that is the same in every round", "another kernel that writes one half")


@pytest.mark.parametrize("name", [pytest.param(m, marks=() if m in FAST else pytest.mark.slow) for m in MISSES])
def test_only_what_is_true_is_proved(name: str, tmp_path: Path) -> None:
    m = MISSES[name]
    kernel, spec = tmp_path / "k.cu", tmp_path / ("o.cu" if m.spec else "s.py")
    kernel.write_text((TWO if m.spec else ONE).format(m.body), encoding="utf-8")
    spec.write_text(TWO.format(m.spec) if m.spec else NEGATED, encoding="utf-8")
    request = Request(kernel=kernel, spec=spec, devices=(m.device,), launch=GRID, bind=BIND if m.spec else None, out=tmp_path / "out", timeout=20.0,
                      reading="written")
    found = verify(request, lambda _: None)[0]
    why = f"{found.verdict}: {found.reason} {' '.join(map(str, found.rejections))}"
    print(why)
    assert (found.verdict == "PROVED") == m.true, why
