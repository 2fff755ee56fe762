// One kernel for each part of the language, compiled by NVRTC and read by the front end; each fills y[0 .. threads).
#define HERE (blockIdx.x * blockDim.x + threadIdx.x)
#define TILE 8

constexpr int kFour = 4;
enum { ZERO, ONE, SEVEN = 7 };
enum class Mode : int { sum, product = 3 };
struct Pair { float first; float count; };
struct Best { float value; float weights[2]; };

__device__ __forceinline__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ void swap_floats(float& a, float& b) { float t = a; a = b; b = t; }
__device__ void advance_all(const float*& p, int by) { p += by; }
__device__ float first_positive(const float* p, int n) { for (int i = 0; i < n; ++i) if (p[i] > 0.0f) return p[i]; return -1.0f; }
__device__ void clamp_to(float* v, float limit = 2.0f) { if (*v > limit) { *v = limit; return; } *v = *v * 0.5f; }
__device__ Pair update(Pair p, float v) { if (v > p.first) { p.first = v; p.count++; } return p; }
__device__ int twice(int v) { return 2 * v; }
__device__ float twice(float v) { return v + v; }
namespace inner { __device__ float half_of(float v) { return 0.5f * v; } }
template <class T, int N = 3> __device__ T power(T v) { T p = v; for (int i = 1; i < N; ++i) p *= v; return p; }
template <class F> __device__ float applied(F f, float v) { return f(v) + f(1.0f); }

extern "C" __global__ void loops(const float* x, float* y, int n) {
  int i = HERE;
  float s = 0.0f;
  for (int j = i; j < n; j += 5) { if (j % 3 == 1) continue; s += x[j]; if (j > 20) break; }
  int k = n; while (k > 3) { s = s * 0.5f + x[k & 7]; k /= 2; }
  do { s -= 1.0f; --k; } while (k > 0);
  for (;;) { s += 0.25f; if (++k > i) break; }
  for (int a = 0, b = 3; a < b; ++a, b--) s += x[a * 3 + b];
  y[i] = s;
}

extern "C" __global__ void early(const float* x, float* y, int n) {
  int i = HERE;
  y[i] = -7.0f;
  if (x[i] > 1.0f) return;
  for (int j = 0; j < n; ++j) { if (j == i + 2) { y[i] = x[j] + j; return; } }
  y[i] = 5.0f;
}

extern "C" __global__ void integers(const float* x, float* y, int n) {
  int i = HERE, d = i - 5;
  unsigned u = i * 2654435761u; long long w = (long long)d * 3000000000ll; size_t z = (size_t)n << 33; int64_t q = -7;
  int r = d / 3 + d % 3 * 10 + (d >> 1) + (i << 2) + (d & 6) - (i | 3) + (i ^ d) + ~i;
  r += u / 1000u + u % 17u + (u >> 7); r += (int)(w / 8) + (int)(w % 1024) + (int)(z >> 30) + (int)(q >> 1) + int(q / 2);
  r %= 1000; r <<= 1; r ^= 5; r |= 8; r &= 0xffff; r -= min(i, 3) * max(d, -2) + abs(d); r /= 2; r >>= 1; r *= -3;
  bool odd = i & 1; int b = odd; b += d > 0; b += (i > 2) & (i < 6); unsigned m = -1; r += m > 5u ? 2 : 1; r += odd ? i : -i;
  unsigned short_ = min(u, 9u); r += (int)short_; r += i++ * 2; r += --d; r += (d < 0 ? -d : d) + twice(r % 5) + ONE + SEVEN + (int)Mode::product + kFour;
  y[HERE] = r + b;
}

extern "C" __global__ void casts(const float* x, float* y, int n) {
  int i = HERE;
  float v = i * 123.75f - 400.5f;
  int a = v; unsigned b = (unsigned)(v * v); long long c = static_cast<long long>(v * 1024.0f); int d = int(v + 0.5f);
  float e = (float)(i * 16777259u) + float(c) + (float)(-c * 3ll) + (float)(size_t)(-1) * 1e-15f;
  y[i] = a + b * 0.5f + d + e + __int2float_rn(i) + __float2int_rn(v) + __float2int_rd(v) + (float)true + 16777217 + __int_as_float(0x40490fdb) + (v > 3) - (v < 3);
}

extern "C" __global__ void pointers(const float* __restrict__ x, float* y, int n) {
  int i = HERE;
  const float* row = x + i * 2;
  const float* end = x + 8;
  float s = row[0] + *(row + 1) + __ldg(row) + end[-1] + *(end - 2) + 3[x];
  s += *row++;
  row -= 1; ++row; s += *row; s += *++row; s += row--[0]; s += row[0];
  advance_all(row, 1); s += *row;
  float* out = &y[i]; *out = s; *out += 1.0f; out[0] *= 2.0f;
}

extern "C" __global__ void references(const float* x, float* y, int n) {
  int i = HERE;
  float a = x[i], b = x[i + 1], c[2] = {a, b};
  float& r = c[i % 2]; r += 10.0f;
  swap_floats(a, b); clamp_to(&a); clamp_to(&c[0], 0.5f);
  const float& k = c[1];
  y[i] = a + 3.0f * b + c[0] * k + first_positive(x + i, 4) + first_positive(c, 2);
}

extern "C" __global__ void records(const float* x, float* y, int n) {
  int i = HERE;
  Pair p = {-1.0f, 0}; Pair best{}; Best all; all.weights[0] = 2.0f; all.weights[1] = x[0]; all.value = 0.5f;
  for (int j = 0; j < 4; ++j) p = update(p, x[i + j]);
  best = p; best.first += all.weights[i % 2] * all.value;
  y[i] = p.first + best.first * p.count + best.count;
}

extern "C" __global__ void vectors(const float* x, float* y, int n) {
  int i = HERE;
  float4 v = reinterpret_cast<const float4*>(x)[i]; float2 w = ((const float2*)x)[i + 1]; float4 u = *(const float4*)(x + 4 * (3 - i));
  v = v + u; v.x *= 3.0f; v = make_float4(v.w, v.z, v.y, v.x); float3 t = make_float3(w.x, 2.0f, v.x);
  const float4* p = (const float4*)x; ++p; v.z += p->x + p[1].y + (*p).w;
  float4 zero = {0.0f, 1.0f}; zero.w += t.y;
  reinterpret_cast<float4*>(y)[i] = v + zero;
  reinterpret_cast<float2*>(y + 2)[2 * i] = w; y[4 * i + 1] += t.x;
}

extern "C" __global__ void local_arrays(const float* x, float* y, int n) {
  int i = HERE;
  float acc[2][3] = {{1.0f, 2.0f}, {3.0f}}; float four[kFour] = {0.0f}; int order[3] = {2, 0, 1};
  #pragma unroll
  for (int j = 0; j < 6; ++j) acc[j / 3][j % 3] += x[i + j];
  for (int j = 0; j < kFour; ++j) four[j] = acc[j & 1][order[j % 3]] * j;
  float* flat = acc[1]; flat[1] = -1.0f; float s = 0.0f;
  for (int j = 0; j < 3; ++j) s = s * 2.0f + four[j] + flat[j] + acc[0][order[j]];
  y[i] = s;
}

extern "C" __global__ void shared_tiles(const float* x, float* y, int n) {
  __shared__ float tile[TILE][TILE + 1];
  __shared__ float total;
  extern __shared__ float carved[];
  float* a = carved; float* b = carved + TILE * TILE;
  int c = threadIdx.x, r = threadIdx.y, t = r * TILE + c;
  tile[r][c] = x[t]; a[t] = x[t] * 2.0f; b[t] = x[TILE * TILE - 1 - t];
  if (t == 0) total = x[5];
  __syncthreads();
  float s = tile[c][r] + a[(t + 1) % (TILE * TILE)] + b[t ^ 1] + total;
  for (int stride = TILE * TILE / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    if (t < stride) a[t] += a[t + stride];
  }
  __syncthreads();
  y[t] = s + a[0] + blockDim.y + gridDim.z;
}

extern "C" __global__ void exchanges(const float* x, float* y, int n) {
  int i = HERE;
  float v = x[i];
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o);
  float w = __shfl_down_sync(0xffffffffu, x[i], 3); int lane = __shfl_sync(0xffffffff, i, 5, 8); w += __shfl_up_sync(0xffffffff, v * i, 1);
  y[i] = v + w + lane + warpSize;
}

extern "C" __global__ void choices(const float* x, float* y, int n) {
  int i = HERE; float s = x[i];
  switch (i % 5) { case 0: s += 1.0f; break; case 1: case 3: { s *= 2.0f; break; } case 4: s = -s; break; default: s = 9.0f; }
  switch (i) { default: s += 0.5f; }
  if (int k = i / 3) s += k; else s -= 1.0f;
  s += i > 3 && x[i - 3] > 0.0f ? x[i - 3] : 0.25f; s = i < 2 || x[i - 2] < 0.0f ? s : s * 3.0f;
  float a, b; a = b = s; a += b *= 2.0f; int j = i; y[j++] = a + b; j += 2; y[i] += j;
}

extern "C" __global__ void lambdas(const float* x, float* y, int n) {
  int i = HERE; float s = 1.0f, k = x[i];
  auto square = [](float v) { return v * v; };
  auto add = [&](float v) { s += v; };
  auto kept = [=](float v) { return v + k; };
  auto scaled = [k, &s](float v) -> float { if (v > 0.0f) return v * k; return s; };
  k = 100.0f;
  for (int j = 0; j < 3; ++j) add(square(x[i + j]));
  y[i] = s + kept(1.0f) + scaled(x[i + 1]) + k + applied(square, x[i]) + applied([](float v) { return v - 1.0f; }, 2.0f);
}

extern "C" __global__ void generic(const float* x, float* y, int n) {
  int i = HERE; const auto v = x[i]; using T = float; static_assert(sizeof(T) == 4, "float");
  y[i] = power<float, 4>(v) + power(v) + power<int>(i % 7) + inner::half_of(v) + twice(v) + (int)(sizeof(float4) / sizeof(T));
}

extern "C" __global__ void words(const int* x, int* y, int n) {
  int i = HERE; const unsigned* u = (const unsigned*)x;
  y[i] = x[i] * 3 + (int)(u[i] >> 3) + reinterpret_cast<const int2*>(x)[i / 2].y;
}
