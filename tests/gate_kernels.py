"""Kernels as people write them, with the settings in which they are safe for all sizes, and faults planted in them one at a time."""

from __future__ import annotations

from devsem.expr import Expr, const_int, mk, var
from devsem.gate_setting import Buffer, Setting
from devsem.ops import B64

ALL = (1, 1 << 30)
A, B, C, H, K, M, N, O, S, W = (var(name, B64) for name in "A B C H K M N O S W".split())


def size(value: int) -> Expr:
    return const_int(B64, value)


def ceil(x: Expr, y: int | Expr) -> Expr:
    divisor = size(y) if isinstance(y, int) else y
    return mk("sdiv_b64", mk("sub_b64", mk("add_b64", x, divisor), size(1)), divisor)


def times(*es: Expr) -> Expr:
    out = es[0]
    for e in es[1:]:
        out = mk("mul_b64", out, e)
    return out


def multiple(x: Expr, of: int) -> Expr:
    return mk("ieq_b64", mk("srem_b64", x, size(of)), size(0))


def setting(inputs: dict[str, tuple[Expr, ...]], output: tuple[str, tuple[Expr, ...]], grid: tuple[Expr, ...], block: tuple[int, ...],
            numbers: dict[str, Expr], sizes: tuple[Expr, ...], *conditions: Expr) -> Setting:
    """Tensors by name with their dimensions, the last of them to be written in whole."""
    buffers = {name: Buffer(name, dims) for name, dims in inputs.items()} | {output[0]: Buffer(output[0], output[1], "empty", True)}
    one = size(1)
    g, b = (*grid, one, one)[:3], (*map(size, block), one, one)[:3]
    return Setting(buffers, (g[0], g[1], g[2]), (b[0], b[1], b[2]), {k: mk("wrap", v) for k, v in numbers.items()}, dict.fromkeys(sizes, ALL), conditions)


TILED = """
__global__ void k(const float* x, const float* w, float* y, int M, int N, int K) {
  __shared__ float As[16][16]; __shared__ float Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0.0f;
  for (int t = 0; t < (K + 15) / 16; ++t) {
    As[ty][tx] = (row < M && t * 16 + tx < K) ? x[row * K + t * 16 + tx] : 0.0f;
    if (col < N && t * 16 + ty < K) Bs[ty][tx] = w[(t * 16 + ty) * N + col]; else Bs[ty][tx] = 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N) y[row * N + col] = acc;
}
"""
UNGUARDED = """
__global__ void k(const float* x, const float* w, float* y, int M, int N, int K) {
  __shared__ float As[16][16]; __shared__ float Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0.0f;
  for (int t = 0; t < (K + 15) / 16; ++t) {
    As[ty][tx] = x[row * K + t * 16 + tx];
    Bs[ty][tx] = w[(t * 16 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  y[row * N + col] = acc;
}
"""
NAIVE = """
__global__ void k(const float* x, const float* w, float* y, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k) acc += x[row * K + k] * w[k * N + col];
    y[row * N + col] = acc;
  }
}
"""
TURNED = """
__global__ void k(const float* x, float* y, int M, int N) {
  __shared__ float tile[32][33];
  int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (c < N && r + j < M) tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * N + c];
  __syncthreads();
  c = blockIdx.y * 32 + threadIdx.x; r = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (c < M && r + j < N) y[(r + j) * M + c] = tile[threadIdx.x][threadIdx.y + j];
}
"""
FOUR = """
__global__ void k(const float* x, float* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i < n) {
    float4 v = *reinterpret_cast<const float4*>(x + i);
    v.x *= 2.0f; v.y *= 2.0f; v.z *= 2.0f; v.w *= 2.0f;
    *reinterpret_cast<float4*>(y + i) = v;
  }
}
"""
SOFTMAX = """
__global__ void k(const float* x, float* y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* xr = x + r * cols; float* yr = y + r * cols;
  float m = xr[0];
  for (int i = 1; i < cols; i++) m = fmaxf(m, xr[i]);
  float s = 0.0f;
  for (int i = 0; i < cols; i++) { float e = expf(xr[i] - m); yr[i] = e; s += e; }
  for (int i = 0; i < cols; i++) yr[i] = yr[i] / s;
}
"""
TREE = """
__global__ void k(const float* x, float* y, int cols) {
  __shared__ float s[256];
  int t = threadIdx.x; const float* xr = x + blockIdx.x * cols;
  float a = 0.0f;
  for (int i = t; i < cols; i += blockDim.x) a += xr[i];
  s[t] = a;
  __syncthreads();
  for (int o = blockDim.x / 2; o > 0; o >>= 1) { if (t < o) s[t] += s[t + o]; __syncthreads(); }
  if (t == 0) y[blockIdx.x] = s[0];
}
"""
POOL = """
__global__ void k(const float* x, float* y, int B, int C, int H, int W) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int OH = H / 2, OW = W / 2;
  int total = B * C * OH * OW;
  if (i >= total) return;
  int w = i % OW, h = (i / OW) % OH, c = (i / (OW * OH)) % C, b = i / (OW * OH * C);
  float m = x[((b * C + c) * H + 2 * h) * W + 2 * w];
  for (int dy = 0; dy < 2; dy++) for (int dx = 0; dx < 2; dx++)
    m = fmaxf(m, x[((b * C + c) * H + (2 * h + dy)) * W + (2 * w + dx)]);
  y[i] = m;
}
"""
CONV = """
__global__ void k(const float* x, const float* w, float* y, int B, int C, int H, int W, int O) {
  int ow = blockIdx.x * blockDim.x + threadIdx.x, oh = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  int o = z % O, b = z / O;
  if (ow >= W || oh >= H) return;
  float acc = 0.0f;
  for (int c = 0; c < C; ++c)
    for (int ky = 0; ky < 3; ++ky)
      for (int kx = 0; kx < 3; ++kx) {
        int iy = oh + ky - 1, ix = ow + kx - 1;
        if (iy >= 0 && iy < H && ix >= 0 && ix < W)
          acc += x[((b * C + c) * H + iy) * W + ix] * w[((o * C + c) * 3 + ky) * 3 + kx];
      }
  y[((b * O + o) * H + oh) * W + ow] = acc;
}
"""
CUBE = """
__global__ void k(const float* x, float* y, int A, int B, int C) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, i = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < A && j < B && k < C) y[(i * B + j) * C + k] = x[(i * B + j) * C + k] + 1.0f;
}
"""
SLICE = """
__global__ void k(const float* x, float* y, int s, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) y[i] = x[i * s];
}
"""
HALF_H, HALF_W = mk("sdiv_b64", H, size(2)), mk("sdiv_b64", W, size(2))
MATMUL = setting({"x": (M, K), "w": (K, N)}, ("y", (M, N)), (ceil(N, 16), ceil(M, 16)), (16, 16), {"M": M, "N": N, "K": K}, (M, N, K))
WHOLE = setting({"x": (M, K), "w": (K, N)}, ("y", (M, N)), (ceil(N, 16), ceil(M, 16)), (16, 16), {"M": M, "N": N, "K": K}, (M, N, K),
                multiple(M, 16), multiple(N, 16), multiple(K, 16))
TILES = setting({"x": (M, N)}, ("y", (N, M)), (ceil(N, 32), ceil(M, 32)), (32, 8), {"M": M, "N": N}, (M, N))
FOURS = setting({"x": (N,)}, ("y", (N,)), (ceil(N, 1024),), (256,), {"n": N}, (N,), multiple(N, 4))
ANY = setting({"x": (N,)}, ("y", (N,)), (ceil(N, 1024),), (256,), {"n": N}, (N,))
ROWS = setting({"x": (M, N)}, ("y", (M, N)), (ceil(M, 256),), (256,), {"rows": M, "cols": N}, (M, N))
BLOCKS = setting({"x": (M, N)}, ("y", (M,)), (M,), (256,), {"cols": N}, (M, N))
POOLED = setting({"x": (B, C, H, W)}, ("y", (B, C, HALF_H, HALF_W)), (ceil(times(B, C, HALF_H, HALF_W), 256),), (256,), {"B": B, "C": C, "H": H, "W": W},
                 (B, C, H, W))
WINDOWS = setting({"x": (B, C, H, W), "w": (O, C, size(3), size(3))}, ("y", (B, O, H, W)), (ceil(W, 16), ceil(H, 16), times(B, O)), (16, 16),
                  {"B": B, "C": C, "H": H, "W": W, "O": O}, (B, C, H, W, O))
CUBES = setting({"x": (A, B, C)}, ("y", (A, B, C)), (ceil(C, 8), ceil(B, 8), ceil(A, 4)), (8, 8, 4), {"A": A, "B": B, "C": C}, (A, B, C))
SLICES = setting({"x": (N,)}, ("y", (ceil(N, S),)), (ceil(ceil(N, S), 256),), (256,), {"s": S, "m": ceil(N, S)}, (N, S))

CLEAN: dict[str, tuple[str, Setting]] = {
    "tiled matmul": (TILED, MATMUL), "unguarded matmul": (UNGUARDED, WHOLE), "naive matmul": (NAIVE, MATMUL), "transpose by tiles": (TURNED, TILES),
    "float4": (FOUR, FOURS), "softmax": (SOFTMAX, ROWS), "tree": (TREE, BLOCKS), "pool": (POOL, POOLED), "convolution": (CONV, WINDOWS), "cube": (CUBE, CUBES),
    "slice": (SLICE, SLICES),
}
# clean kernel, what is replaced, by what, the setting, a word of the reason
PLANTED: dict[str, tuple[str, str, str, Setting, str]] = {
    "n % 4": (FOUR, "", "", ANY, "out of bounds"), "float4 from one on": (FOUR, ") * 4;", ") * 4 + 1;", FOURS, ""),
    "second barrier": (TILED, "    __syncthreads();\n  }", "  }", MATMUL, "two barriers"),
    "first barrier": (TILED, "    __syncthreads();\n    for", "    for", MATMUL, "two barriers"), "K % 16": (UNGUARDED, "", "", MATMUL, "out of bounds"),
    "guard of a tile": (TILED, "t * 16 + tx < K)", "t * 16 < K)", MATMUL, "out of bounds"),
    "small tile": (TILED, "As[16][16]", "As[16][15]", MATMUL, "out of bounds"),
    "one guard": (TILED, "row < M && col < N) y", "row < M) y", MATMUL, "out of bounds"),
    "transposed": (TILED, "y[row * N + col]", "y[col * N + row]", MATMUL, ""), "wrong width": (NAIVE, "row * K", "row * N", MATMUL, "out of bounds"),
    "barrier of the tree": (TREE, "s[t + o]; __syncthreads(); }", "s[t + o]; }", BLOCKS, "two barriers"),
    "barrier in a branch": (TREE, "if (t < o) s[t] += s[t + o]; __syncthreads();", "if (t < o) { s[t] += s[t + o]; __syncthreads(); }", BLOCKS, "only some"),
    "return before a barrier": (TREE, "float a = 0.0f;", "if (t >= cols) return; float a = 0.0f;", BLOCKS, "only some"),
    "all threads write": (TREE, "if (t == 0) y", "y", BLOCKS, "two threads"),
    "no barrier between tiles": (TURNED, "  __syncthreads();\n", "", TILES, "two barriers"),
    "one too far": (SOFTMAX, "i = 1; i < cols", "i = 1; i <= cols", ROWS, "out of bounds"),
    "unwritten end": (SOFTMAX, "r >= rows", "r >= rows - 1", ROWS, "unwritten"),
    "row too far": (POOL, "2 * h + dy", "2 * h + dy + 1", POOLED, "out of bounds"), "zero divisor": (SLICE, "x[i * s]", "x[i / (s - 1)]", SLICES, ""),
    "overflow": (SLICE, "x[i * s]", "x[i * s * 4 / 4]", SLICES, "may wrap"),
}
