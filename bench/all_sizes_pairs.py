"""Pairs of kernels that do the same in different ways, and random changes of them: the questions of `all_sizes_soundness.py`.

Every kernel is `k(const float* a, const float* b, float* y, int n, int m)`.

>>> drawn = draw(3)
>>> drawn.kernel.text.count("__global__"), drawn.kernel.text == draw(3).kernel.text
(1, True)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random

HEAD = 'extern "C" __global__ void k(const float* a, const float* b, float* y, int n, int m)'
HELPERS = """__device__ float mad(float u, float v) { return u * v + 1.0f; }
__device__ float early(float u, float v, int j) { if (j > 3) return u * v + 1.0f; if (u < 0.0f) { return u * v + 1.0f; } float t = u * v; return t + 1.0f; }
__device__ void put(float* s, int j, float v) { if (j < 0) return; s[j] = v; }
"""
LINE, PAIRS, PLANE = "grid=(n+7)/8 block=8", "grid=(n+15)/16 block=8", "grid=(m+3)/4,(n+3)/4 block=4,4"
I = "int i = blockIdx.x * 8 + threadIdx.x; "
RC = "int c = blockIdx.x * 4 + threadIdx.x, r = blockIdx.y * 4 + threadIdx.y; "
TX = "threadIdx.x"


@dataclass(frozen=True)
class Written:
    """A kernel and its launch."""

    text: str
    launch: str


@dataclass(frozen=True)
class Drawn:
    """Two kernels over the same tensors; `changed`: the first has random changes."""

    number: int
    family: str
    kernel: Written
    spec: Written
    bind: str
    changed: tuple[str, ...] = ()


def _line(*bodies: str, launch: str = LINE) -> list[Written]:
    return [Written(f"{HELPERS}{HEAD} {{ {b} }}", launch) for b in bodies]


SUM = "if (i < n) { float acc = 0.0f; %s y[i] = acc; }"
FAMILIES: dict[str, tuple[str, list[Written]]] = {
    "pointwise": ("a=n,b=n,y=n", [*_line(
        I + "if (i < n) y[i] = a[i] * b[i] + 1.0f;",
        I + "if (i >= n) return; float t = a[i]; t *= b[i]; y[i] = t + 1.0f;",
        I + "if ((unsigned)i < (unsigned)n) { y[i] = mad(a[i], b[i]); }",
        I + "if (i < n) y[i] = early(a[i], b[i], m);",
        "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < (size_t)n) { float u = a[i], v = b[i]; y[i] = v * u + 1.0f; }",
        I + f"__shared__ float s[8]; s[{TX}] = i < n ? a[i] : 0.0f; __syncthreads(); if (i < n) y[i] = s[{TX}] * b[i] + 1.0f;",
        I + f"__shared__ float s[8]; put(s, {TX}, i < n ? a[i] : 0.0f); __syncthreads(); if (i < n) y[i] = s[{TX}] * b[i] + 1.0f;",
        I + f"__shared__ float s[9]; if (i < n) s[8 - {TX}] = a[i]; __syncthreads(); if (i < n) y[i] = s[8 - {TX}] * b[i] + 1.0f;",
        I + "if (i < n) { if (m > 3) y[i] = a[i] * b[i] + 1.0f; else { float t = b[i] * a[i]; y[i] = t + 1.0f; } }",
        I + "if (i < n) { float t[2]; t[0] = a[i]; t[1] = b[i]; y[i] = t[0] * t[1] + 1.0f; }",
        I + "if (i < n) { int j = 3; for (; j < m; ++j) {} float t[2]; t[1] = 0.0f; t[0] = a[i]; y[i] = (j >= 3 ? t[0] : t[1]) * b[i] + 1.0f; }",
        I + "if (i >= n) return; float t[3]; t[0] = b[i]; t[1] = 2.0f; t[2] = a[i]; t[i % 1 + 1] = 3.0f; y[i] = t[0] * t[2] + 1.0f;"),
        *_line("for (int i = blockIdx.x * 8 + threadIdx.x; i < n; i += 16) y[i] = a[i] * b[i] + 1.0f;",
               "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { float t = a[i] * b[i]; y[i] = t + 1.0f; }",
               launch="grid=2 block=8"),
        *_line("int i = (blockIdx.x * 8 + threadIdx.x) * 2; if (i + 1 < n) { y[i] = a[i] * b[i] + 1.0f; y[i + 1] = a[i + 1] * b[i + 1] + 1.0f; } "
               "else if (i < n) y[i] = a[i] * b[i] + 1.0f;",
               "int i = (blockIdx.x * 8 + threadIdx.x) * 2; for (int j = i; j < i + 2; ++j) if (j < n) y[j] = a[j] * b[j] + 1.0f;", launch=PAIRS)]),
    "row sum": ("a=n*m,b=m,y=n", _line(*(I + SUM % loop for loop in (
        "for (int k = 0; k < m; ++k) acc += a[i * m + k] * b[k];",
        "for (int k = 0; k <= m - 1; k++) { float t = a[m * i + k]; acc = acc + t * b[k]; }",
        "int p = i * m; for (int k = 0; k < m; ++k) { acc += a[p] * b[k]; ++p; }",
        "const float* q = a + i * m; for (int k = 0; k < m; ++k) acc += q[k] * b[k];",
        "for (int k = 1; k <= m; ++k) acc += a[i * m + k - 1] * b[k - 1];",
        "for (int k = 0; k < 2 * m; k += 2) acc += a[i * m + k / 2] * b[k / 2];",
        "for (unsigned k = 0; k < (unsigned)m; ++k) acc += a[i * m + k] * b[k];",
        "for (int k = 0; ; ++k) { if (k >= m) break; acc += a[i * m + k] * b[k]; }",
        "int k = 0; while (k < m) { acc += a[i * m + k] * b[k]; k++; }",
        "float cnt = 0.0f; for (int k = 0; k < m; ++k) { acc += a[i * m + k] * b[k]; cnt += 1.0f; } if (cnt < 0.0f) acc = 0.0f;",
        "float last = 0.0f; for (int k = 0; k < m; ++k) { last = a[i * m + k]; acc += last * b[k]; }",
        "for (int t = 0; t < (m + 3) / 4; ++t) for (int k = 0; k < 4; ++k) if (t * 4 + k < m) acc += a[i * m + t * 4 + k] * b[t * 4 + k];",
        "for (int t = 0; t < (m + 3) / 4; ++t) for (int k = 0; k < 4; ++k) acc += (t * 4 + k < m ? a[i * m + t * 4 + k] : 0.0f) "
        "* (t * 4 + k < m ? b[t * 4 + k] : 0.0f);",
        "for (int t = 0; t < m; ++t) { int k = t; acc += a[i * m + k] * b[k]; }",
        "for (int k = 0; k < m; ++k) { if (k >= 0) acc += a[i * m + k] * b[k]; else acc -= 1.0f; }",
        "int k; for (k = 0; k < m; ++k) acc += a[i * m + k] * b[k]; if (k < m) acc = 1.0f;",
        "for (int k = -1; k < m - 1; ++k) acc += a[i * m + k + 1] * b[k + 1];")))),
    "two sums": ("a=n*m,b=m,y=n", _line(*(f"{I}if (i < n) {{ {body} }}" for body in (
        "float s = 0.0f, q = 1.0f; for (int k = 0; k < m; ++k) { s += a[i * m + k]; q = fmaxf(q, b[k]); } y[i] = s - q;",
        "float q = 1.0f; for (int k = 0; k < m; ++k) q = fmaxf(q, b[k]); float s = 0.0f; for (int j = 0; j < m; ++j) s += a[i * m + j]; y[i] = s - q;",
        "float s = 0.0f; for (int k = 0; k < m; ++k) s += a[i * m + k]; float q = 1.0f; for (int k = 0; k < m; ++k) q = fmaxf(q, b[k]); y[i] = s - q;",
        "float s = 0.0f, q = 1.0f; int p = i * m; for (int k = 0; k < m; ++k, ++p) { float t = s; s = t + a[p]; q = fmaxf(q, b[k]); } y[i] = s - q;")))),
    "transpose": ("a=n*m,b=n,y=n*m", [*_line(
        RC + "if (r < n && c < m) y[c * n + r] = a[r * m + c] * b[r];",
        RC + "if (r >= n || c >= m) return; float t = b[r]; y[r + c * n] = t * a[c + r * m];", launch=PLANE),
        *_line("__shared__ float s[4][5]; " + RC + "if (r < n && c < m) s[threadIdx.y][threadIdx.x] = a[r * m + c] * b[r]; __syncthreads(); "
               "c = blockIdx.x * 4 + threadIdx.y; r = blockIdx.y * 4 + threadIdx.x; if (r < n && c < m) y[c * n + r] = s[threadIdx.x][threadIdx.y];",
               launch=PLANE),
        *_line("int e = blockIdx.x * 8 + threadIdx.x; if (e < n * m) { int r = e / m, c = e % m; y[c * n + r] = a[e] * b[r]; }",
               "int e = blockIdx.x * 8 + threadIdx.x; if (e < n * m) { int c = e / n, r = e % n; y[e] = a[r * m + c] * b[r]; }",
               "int e = blockIdx.x * 8 + threadIdx.x; if (e < n * m) { int c = e / n, r = e - c * n; y[e] = b[r] * a[r * m + c]; }",
               launch="grid=(n*m+7)/8 block=8")]),
    "product": ("a=n*m,b=m*n,y=n*n", [*_line(
        RC + "if (r < n && c < n) { float acc = 0.0f; for (int k = 0; k < m; ++k) acc += a[r * m + k] * b[k * n + c]; y[r * n + c] = acc; }",
        "__shared__ float s[4][4], u[4][4]; int x = threadIdx.x, v = threadIdx.y; " + RC + "float acc = 0.0f; for (int t = 0; t < (m + 3) / 4; ++t) { "
        "s[v][x] = r < n && t * 4 + x < m ? a[r * m + t * 4 + x] : 0.0f; u[v][x] = t * 4 + v < m && c < n ? b[(t * 4 + v) * n + c] : 0.0f; __syncthreads(); "
        "for (int k = 0; k < 4; ++k) acc += s[v][k] * u[k][x]; __syncthreads(); } if (r < n && c < n) y[r * n + c] = acc;",
        launch="grid=(n+3)/4,(n+3)/4 block=4,4")]),
}
CHANGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"< m\b", ("<= m", "< m - 1", "< n", "< m + 1", "!= m")), (r"< n\b", ("<= n", "< n - 1", "< m")), (r"\bk = 0\b", ("k = 1", "k = 2", "k = -1")),
    (r"\+\+k|k\+\+", ("k += 2", "k += 3")), (r"0\.0f", ("-0.0f", "1.0f", "a[0]")), (r"1\.0f", ("2.0f", "-1.0f")), (r"__syncthreads\(\);", ("",)),
    (r" \* ", (" + ", " - ")), (r" \+ ", (" - ", " * ")), (r"threadIdx\.x", ("threadIdx.y", "(3 - threadIdx.x)", "0")),
    (r"threadIdx\.y", ("threadIdx.x", "(3 - threadIdx.y)")), (r"\ba\[", ("b[", "a[0 * ", "a[1 + ")), (r"\bb\[", ("a[", "b[0 * ")),
    (r"i \* m \+ k", ("k * m + i", "i * n + k", "i * m + (m - 1 - k)", "i * m + k % 2", "i * m + (k & 3)", "i * m")),
    (r"acc \+=", ("acc =", "acc -=", "acc *=")),
    (r"t \* 4 \+ k", ("t * 4", "k", "t + k", "t * 4 + 3 - k", "t * 3 + k")), (r"\((m|n) \+ 3\) / 4", ("m / 4", "(m + 4) / 4", "(n + 3) / 4")),
    (r"if \(", ("if (m > 2 && ", "if (!", "if (a[0] > 0.0f && ", "if (n < 5 || ")), (r"return;", ("y[0] = 0.0f; return;", "")), (r"/ m", ("/ n", "% m")),
    (r"int k = 0; k", ("unsigned k = 0; k", "long long k = 0; k")), (r"y\[i\] =", ("y[i] +=", "y[n - 1 - i] =", "if (i % 2 == 0) y[i] =")),
    (r"8", ("4", "7", "9")),
    (r"int i =", ("unsigned i =", "long long i =")), (r"j > 3", ("j > 5", "j < 3")), (r"fmaxf", ("fminf",)), (r"% 1", ("% 2", "% 3")),
    (r"\{ return ([^;]*); \}", (r"{ if (v > 1.0f) return \1; }", r"{ if (v < 1.0f) { return \1; } u = v; }", "{ return 0.0f; }")),
    (r"\) return u \* v \+ 1\.0f;", (") return u * v + 1.0f; else return v; return 0.0f;", ") { if (v > 0.0f) return u * v + 1.0f; }")),
    (r"j < 0", ("v < 0.0f", "v > 0.0f")), (r"\(unsigned\)i < ", ("(unsigned)(i - 3) < ", "(unsigned)(n - 1 - i) < ")),
    (r"t\[2\] = a\[i\]; t", ("t[2] = b[i]; t",)),
)


def draw(number: int) -> Drawn:
    """The pair with a number."""
    rng = Random(number)
    family = rng.choice(list(FAMILIES))
    bind, kernels = FAMILIES[family]
    drawn = Drawn(number, family, rng.choice(kernels), rng.choice(kernels), bind)
    for _ in range(rng.choice((0, 1, 1, 1, 2))):
        drawn = _changed(drawn, rng)
    return drawn


def _changed(d: Drawn, rng: Random) -> Drawn:
    """One place changed, in the body or in a helper that it calls."""
    before, _, body = d.kernel.text.partition(HEAD)
    places = [(m, new) for pattern, options in CHANGES for new in options for m in re.finditer(pattern, body)]
    if any(f"{name}(" in body for name in ("mad", "early", "put")) and rng.random() < 0.6:
        name = next(n for n in ("mad", "early", "put") if f"{n}(" in body)
        start = before.index(f" {name}(")
        end = before.index("\n", start)
        places = [(m, new) for pattern, options in CHANGES for new in options for m in re.compile(pattern).finditer(before, start, end)]
        if not places:
            return d
        m, new = rng.choice(places)
        return replace(d, kernel=replace(d.kernel, text=before[:m.start()] + m.expand(new) + before[m.end():] + HEAD + body),
                       changed=(*d.changed, f"{m.group()} -> {new}"))
    m, new = rng.choice(places)
    return replace(d, kernel=replace(d.kernel, text=before + HEAD + body[:m.start()] + m.expand(new) + body[m.end():]),
                   changed=(*d.changed, f"{m.group()} -> {new}"))
