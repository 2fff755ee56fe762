"""Kernels that are not pointwise with the spec that they compute, and one step away from it: the true ones are PROVED, the others never.

A near miss is the true kernel with one piece of its text replaced: another order, a missing last element, another start, another axis.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """A spec and a kernel that computes it in one launch. `misses`: what is wrong -> (a piece of the kernel's text, what replaces it)."""

    name: str
    body: str
    inputs: str
    params: str
    kernel: str
    misses: dict[str, tuple[str, str]]
    names: str = "x"
    launch: str = "grid=1,1,1 block=4,1,1"
    bind: str | None = None
    device: str = "ieee"
    flags: str = ""
    open: str = ""          # why the true kernel stays OPEN, if it does
    before: str = ""        # text before the kernel

    def text(self, miss: str | None = None) -> str:
        """The kernel's file, true or with a miss."""
        body = self.kernel
        if miss is not None:
            old, new = self.misses[miss]
            if body.count(old) != 1:
                raise ValueError(f"{self.name}, {miss}: {old!r} stands {body.count(old)} times in the kernel")
            body = body.replace(old, new)
        return f"{self.before}__global__ void k({self.params}) {{ {body} }}\n"

    @property
    def spec(self) -> str:
        """The spec's file."""
        return ("import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\nclass Model(nn.Module):\n"
                f"    def forward(self, {self.names}):\n        {self.body}\n\ndef get_inputs():\n    return {self.inputs}\n")


XY, X43, X44, X33 = "const float* x, float* y", "[torch.randn(4, 3)]", "[torch.randn(4, 4)]", "[torch.randn(3, 3)]"
NAN_MAX = "float v = x[3 * i + j]; m = (v != v || m != m) ? v + m : fmaxf(m, v);"
SUM3 = "float s = x[3 * i]; for (int j = 1; j < 3; ++j) s += x[3 * i + j];"
T = "int i = threadIdx.x;"
TILE = "__shared__ float t[4][5]; int i = threadIdx.y, j = threadIdx.x; "
SQUARE = "grid=1,1,1 block=4,4,1"

SHAPES: tuple[Shape, ...] = (
    Shape("row sum", "return (x[:, 0] + x[:, 1]) + x[:, 2]", X43, XY, f"{T} {SUM3} y[i] = s;", {
        "from the end": ("float s = x[3 * i]; for (int j = 1; j < 3; ++j)", "float s = x[3 * i + 2]; for (int j = 1; j >= 0; --j)"),
        "without the last": ("j < 3", "j < 2"),
        "from zero": ("float s = x[3 * i]; for (int j = 1;", "float s = 0.0f; for (int j = 0;"),
        "the first twice": ("int j = 1", "int j = 0"),
        "of columns": ("s += x[3 * i + j]", "s += x[4 * j + i]"),
        "of other rows": ("s += x[3 * i + j]", "s += x[(3 * i + j + 1) % 12]"),
        "two at a time": ("for (int j = 1; j < 3; ++j) s += x[3 * i + j];", "s += x[3 * i + 1] + x[3 * i + 2];"),
        "a difference": ("s += x", "s -= x"),
    }),
    Shape("row mean", "return ((x[:, 0] + x[:, 1]) + x[:, 2]) / 3", X43, XY, f"{T} {SUM3} y[i] = s / 3.0f;", {
        "by a product": ("s / 3.0f", "s * (1.0f / 3.0f)"),
        "of two": ("s / 3.0f", "s / 2.0f"),
        "divided first": ("s += x[3 * i + j]; y[i] = s / 3.0f;", "s += x[3 * i + j] / 3.0f; y[i] = s;"),
        "an integer's third": ("s / 3.0f", "s * (float)(1 / 3)"),
    }),
    Shape("row maximum", "return torch.amax(x, dim=1)", X43, XY, f"{T} float m = x[3 * i]; for (int j = 1; j < 3; ++j) {{ {NAN_MAX} }} y[i] = m;", {
        "drops NaN": ("m = (v != v || m != m) ? v + m : fmaxf(m, v);", "m = fmaxf(m, v);"),
        "forgets a NaN": ("(v != v || m != m)", "(v != v)"),
        "the first zero stays": ("m = (v != v || m != m) ? v + m : fmaxf(m, v);", "m = (v > m || v != v) ? v : m;"),
        "starts at the smallest number": ("float m = x[3 * i]; for (int j = 1", "float m = -3.402823466e38f; for (int j = 0"),
        "starts at zero": ("float m = x[3 * i]; for (int j = 1", "float m = 0.0f; for (int j = 0"),
        "a minimum": ("fmaxf", "fminf"),
        "without the last": ("j < 3", "j < 2"),
        "of columns": ("x[3 * i + j]", "x[4 * j + i]"),
    }),
    Shape("transpose", "return x.t().contiguous()", X44, XY, f"{TILE} t[i][j] = x[4 * i + j]; __syncthreads(); y[4 * i + j] = t[j][i];", {
        "without a barrier": ("__syncthreads();", ""),
        "not transposed": ("t[j][i]", "t[i][j]"),
        "written before the barrier": ("t[i][j] = x[4 * i + j]; __syncthreads();", "__syncthreads(); t[i][j] = x[4 * i + j];"),
        "turned": ("t[j][i]", "t[j][3 - i]"),
        "one element twice": ("t[j][i]", "t[j][i == 3 ? 2 : i]"),
        "the padding read": ("t[j][i]", "t[j][i + 1]"),
    }, launch=SQUARE),
    Shape("bias", "return x + w", "[torch.randn(3, 3), torch.randn(3)]", "const float* x, const float* w, float* y",
          "int i = threadIdx.y, j = threadIdx.x; y[3 * i + j] = x[3 * i + j] + w[j];", {
              "of the rows": ("w[j]", "w[i]"), "one for all": ("w[j]", "w[0]"), "a difference": ("x[3 * i + j] + w[j]", "x[3 * i + j] - w[j]"),
              "x transposed": ("= x[3 * i + j]", "= x[3 * j + i]"), "doubled": ("+ w[j]", "+ w[j] * 2.0f"),
              "not of the last column": ("+ w[j]", "+ (j < 2 ? w[j] : -0.0f)"),
          }, names="x, w", launch="grid=1,1,1 block=3,3,1"),
    Shape("padding", "return F.pad(x, (1, 1))", X43, XY,
          "int i = threadIdx.y, j = threadIdx.x; y[5 * i + j] = (j < 1 || j > 3) ? 0.0f : x[3 * i + j - 1];", {
              "minus zero": ("0.0f", "-0.0f"), "shifted": ("(j < 1 || j > 3) ? 0.0f : x[3 * i + j - 1]", "(j > 2) ? 0.0f : x[3 * i + j]"),
              "repeated": ("(j < 1 || j > 3) ? 0.0f : x[3 * i + j - 1]", "x[3 * i + min(max(j - 1, 0), 2)]"),
              "added to": ("x[3 * i + j - 1]", "x[3 * i + j - 1] + 0.0f"), "one": ("0.0f", "1.0f"),
          }, launch="grid=1,1,1 block=5,4,1", open="aten.pad"),
    Shape("differences", "return x[:, 1:] - x[:, :-1]", X43, XY, "int i = threadIdx.y, j = threadIdx.x; y[2 * i + j] = x[3 * i + j + 1] - x[3 * i + j];", {
        "the other way": ("x[3 * i + j + 1] - x[3 * i + j]", "x[3 * i + j] - x[3 * i + j + 1]"),
        "the negated other way": ("x[3 * i + j + 1] - x[3 * i + j]", "-(x[3 * i + j] - x[3 * i + j + 1])"),
        "rows of two": ("x[3 * i + j + 1] - x[3 * i + j]", "x[2 * i + j + 1] - x[2 * i + j]"),
        "between rows": ("- x[3 * i + j]", "- x[(3 * i + j + 2) % 12]"),
    }, launch="grid=1,1,1 block=2,4,1"),
    Shape("concatenation", "return torch.cat([x, w], dim=1)", "[torch.randn(2, 2), torch.randn(2, 2)]", "const float* x, const float* w, float* y",
          "int i = threadIdx.y, j = threadIdx.x; y[4 * i + j] = j < 2 ? x[2 * i + j] : w[2 * i + j - 2];", {
              "swapped": ("j < 2 ? x[2 * i + j] : w[2 * i + j - 2]", "j < 2 ? w[2 * i + j] : x[2 * i + j - 2]"),
              "along rows": ("y[4 * i + j] = j < 2 ? x[2 * i + j] : w[2 * i + j - 2]", "int c = 4 * i + j; y[c] = c < 4 ? x[c] : w[c - 4]"),
              "the second not moved": ("w[2 * i + j - 2]", "w[2 * i + (j + 1) % 2]"),
              "the first longer": ("j < 2 ?", "j < 3 ?"),
          }, names="x, w", launch="grid=1,1,1 block=4,2,1"),
    Shape("flip", "return x.flip(1)", X43, XY, "int i = threadIdx.y, j = threadIdx.x; y[3 * i + j] = x[3 * i + 2 - j];", {
        "the other axis": ("x[3 * i + 2 - j]", "x[3 * (3 - i) + j]"), "both axes": ("x[3 * i + 2 - j]", "x[11 - 3 * i - j]"),
        "the middle negated": ("x[3 * i + 2 - j]", "(j == 1 ? -x[3 * i + 1] : x[3 * i + 2 - j])"),
    }, launch="grid=1,1,1 block=3,4,1"),
    Shape("lower triangle", "return torch.tril(x)", X33, XY, "int i = threadIdx.y, j = threadIdx.x; y[3 * i + j] = j <= i ? x[3 * i + j] : 0.0f;", {
        "without the diagonal": ("j <= i", "j < i"), "upper": ("j <= i", "j >= i"),
        "by a product": ("j <= i ? x[3 * i + j] : 0.0f", "x[3 * i + j] * (float)(j <= i)"),
        "minus zero": ("0.0f", "-0.0f"),
    }, launch="grid=1,1,1 block=3,3,1"),
    Shape("repeated rows", "return x.repeat(2, 1)", "[torch.randn(2, 3)]", XY, "int i = threadIdx.y, j = threadIdx.x; y[3 * i + j] = x[3 * (i % 2) + j];", {
        "interleaved": ("i % 2", "i / 2"), "shifted": ("i % 2", "(i + 1) % 2"),
    }, launch="grid=1,1,1 block=3,4,1"),
    Shape("outer product", "return x[:, None] * w[None, :]", "[torch.randn(3), torch.randn(3)]", "const float* x, const float* w, float* y",
          "int i = threadIdx.y, j = threadIdx.x; y[3 * i + j] = x[i] * w[j];", {
              "transposed": ("x[i] * w[j]", "x[j] * w[i]"), "the diagonal only": ("x[i] * w[j]", "x[i] * w[i]"),
              "fused": ("x[i] * w[j]", "fmaf(x[i], w[j], 0.0f)"),
          }, names="x, w", launch="grid=1,1,1 block=3,3,1"),
    Shape("tree in shared memory", "return (x[:, 0] + x[:, 2]) + (x[:, 1] + x[:, 3])", X44, XY,
          "__shared__ float t[4]; int i = threadIdx.x; t[i] = x[4 * blockIdx.x + i]; __syncthreads(); for (int h = 2; h > 0; h >>= 1) "
          "{ if (i < h) t[i] += t[i + h]; "
          "__syncthreads(); } if (i == 0) y[blockIdx.x] = t[0];", {
              "without the first barrier": ("+ i]; __syncthreads();", "+ i];"), "without the second barrier": ("t[i + h]; __syncthreads(); }", "t[i + h]; }"),
              "one round only": ("h > 0", "h > 1"),
              "neighbours": ("if (i < h) t[i] += t[i + h];", "if (i % (4 / h) == 0 && i < 4) t[i] += t[(i + 2 / h) % 4];"),
              "writes all threads": ("if (i == 0) y", "y"), "the wrong result": ("= t[0]", "= t[1]"),
              "the other operand order is the same, a minus is not": ("t[i] += t[i + h]", "t[i] = t[i + h] - t[i]"),
              "one block's row for all": ("x[4 * blockIdx.x + i]", "x[i]"),
          }, launch="grid=4,1,1 block=4,1,1"),
    Shape("rectifier", "return torch.relu(x)", X44, XY, "int c = 4 * threadIdx.y + threadIdx.x; float v = x[c]; y[c] = v < 0.0f ? 0.0f : v;", {
        "drops NaN": ("v < 0.0f ? 0.0f : v", "fmaxf(v, 0.0f)"), "drops NaN by comparison": ("v < 0.0f ? 0.0f : v", "v > 0.0f ? v : 0.0f"),
        "makes -0 positive": ("v < 0.0f", "v <= 0.0f"),
        "leaky": ("? 0.0f : v", "? 1e-30f * v : v"), "minus zero": ("? 0.0f", "? -0.0f"), "only the first rows": ("v < 0.0f ?", "v < 0.0f && c < 12 ?"),
    }, launch=SQUARE),
    Shape("clamp", "return torch.clamp(x, 0.0, 1.0)", X44, XY,
          "int c = 4 * threadIdx.y + threadIdx.x; float v = x[c]; v = v < 0.0f ? 0.0f : v; y[c] = v > 1.0f ? 1.0f : v;", {
              "drops NaN": ("v > 1.0f ? 1.0f : v", "fminf(v, 1.0f)"), "from below only": ("v > 1.0f ? 1.0f : v", "v"),
              "an open end": ("v > 1.0f ? 1.0f : v", "v >= 0.99999994f ? 0.99999994f : v"), "saturated": ("v > 1.0f ? 1.0f : v", "__saturatef(v)"),
          }, launch=SQUARE),
    Shape("max pooling", "return F.max_pool1d(x, 2)", "[torch.randn(1, 2, 4)]", XY,
          "int c = threadIdx.x; float m = x[2 * c], v = x[2 * c + 1]; y[c] = (v > m || v != v) ? v : m;", {
              "overlapping": ("m = x[2 * c], v = x[2 * c + 1]", "m = x[c], v = x[c + 1]"), "drops NaN": ("(v > m || v != v) ? v : m", "fmaxf(m, v)"),
              "of one": ("(v > m || v != v) ? v : m", "m"), "a mean": ("(v > m || v != v) ? v : m", "(m + v) * 0.5f"),
          }),
    Shape("square and add, unfused", "return x * x + w", "[torch.randn(2, 2), torch.randn(2, 2)]", "const float* x, const float* w, float* y",
          "int c = 2 * threadIdx.y + threadIdx.x; y[c] = x[c] * x[c] + w[c];", {
              "fused": ("x[c] * x[c] + w[c]", "fmaf(x[c], x[c], w[c])"), "a neighbour's": ("x[c] * x[c]", "x[c] * x[c ^ 1]"),
          }, names="x, w", launch="grid=1,1,1 block=2,2,1", device="h100", flags="-fmad=false"),
    Shape("square and add, as nvcc fuses it", "return x * x + w", "[torch.randn(2, 2), torch.randn(2, 2)]", "const float* x, const float* w, float* y",
          "int c = 2 * threadIdx.y + threadIdx.x; y[c] = __fadd_rn(__fmul_rn(x[c], x[c]), w[c]);", {
              "fused by the compiler": ("__fadd_rn(__fmul_rn(x[c], x[c]), w[c])", "x[c] * x[c] + w[c]"),
              "fused through a local array":
                  ("y[c] = __fadd_rn(__fmul_rn(x[c], x[c]), w[c]);", "float r[2]; r[0] = x[c] * x[c]; r[1] = r[0] + w[c]; y[c] = r[1];"),
              "fused through a loop": ("y[c] = __fadd_rn(__fmul_rn(x[c], x[c]), w[c]);",
                                       "float p = 0.0f, s = w[c]; for (int j = 0; j < 2; ++j) { s += p; p = j ? 0.0f : x[c] * x[c]; } y[c] = s;"),
              "fused through a helper": ("__fadd_rn(__fmul_rn(x[c], x[c]), w[c])", "square(x[c]) + w[c]"),
              "fused through shared memory":
                  ("y[c] = __fadd_rn(__fmul_rn(x[c], x[c]), w[c]);", "__shared__ float t[4]; t[c] = x[c] * x[c]; y[c] = t[c] + w[c];"),
              "fused through the output": ("y[c] = __fadd_rn(__fmul_rn(x[c], x[c]), w[c]);", "y[c] = x[c] * x[c]; y[c] += w[c];"),
          }, names="x, w", launch="grid=1,1,1 block=2,2,1", device="h100", before="__device__ float square(float v) { return v * v; }\n"),
    Shape("copy under flushing", "return x.t().contiguous()", "[torch.randn(2, 2)]", XY, "int i = threadIdx.y, j = threadIdx.x; y[2 * i + j] = x[2 * j + i];", {
        "times one": ("x[2 * j + i]", "x[2 * j + i] + -0.0f * (float)i"), "the greater of two equal": ("x[2 * j + i]", "__fadd_rn(x[2 * j + i], -0.0f)"),
        "halved and doubled": ("x[2 * j + i]", "x[2 * j + i] * 0.5f * 2.0f"),
    }, launch="grid=1,1,1 block=2,2,1", device="h100", flags="-ftz=true"),
    Shape("two results", "return x + w, x - w", "[torch.randn(2, 2), torch.randn(2, 2)]", "const float* x, const float* w, float* y, float* z",
          "int c = 2 * threadIdx.y + threadIdx.x; y[c] = x[c] + w[c]; z[c] = x[c] - w[c];", {
              "swapped": ("y[c] = x[c] + w[c]; z[c] = x[c] - w[c];", "z[c] = x[c] + w[c]; y[c] = x[c] - w[c];"),
              "the second from the first": ("z[c] = x[c] - w[c]", "z[c] = y[c] - 2.0f * w[c]"),
              "the second in part": ("z[c] = x[c] - w[c]", "if (c < 3) z[c] = x[c] - w[c]"),
          }, names="x, w", launch="grid=1,1,1 block=2,2,1"),
    Shape("vector loads", "return x.flip(1)", X44, XY,
          "int i = threadIdx.x; float4 v = reinterpret_cast<const float4*>(x)[i]; "
          "reinterpret_cast<float4*>(y)[i] = make_float4(v.w, v.z, v.y, v.x);", {
              "in order": ("v.w, v.z, v.y, v.x", "v.x, v.y, v.z, v.w"), "two swapped": ("v.w, v.z, v.y, v.x", "v.w, v.y, v.z, v.x"),
              "not aligned": ("(x)[i]", "(x + 1)[i]"), "one short": ("int i = threadIdx.x;", "int i = threadIdx.x; if (i > 2) return;"),
          }),
)
