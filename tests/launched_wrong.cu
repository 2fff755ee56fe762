// The kernels of tests/launched_wrong.py, in CUDA: what they do wrong is found by threads.py and, apart from it, by the PTX emulator.
extern "C" {
__global__ void late_guard(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = x[i] + 1.0f;
}
__global__ void quads(const float* x, float* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i >= n) return;
  float4 p = *reinterpret_cast<const float4*>(x + i);
  *reinterpret_cast<float4*>(y + i) = p;
}
__global__ void unrolled(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int st = blockDim.x * gridDim.x;
  for (; i + 3 < n; i += st * 4) {
    y[i] = x[i] * 2.0f;
    y[i + st] = x[i + st] * 2.0f;
    y[i + 2 * st] = x[i + 2 * st] * 2.0f;
    y[i + 3 * st] = x[i + 3 * st] * 2.0f;
  }
}
__global__ void reused(const float* x, float* y) {
  __shared__ float s[2];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  float m = x[t];
  for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, o));
  if (lane == 0) s[w] = m;
  __syncthreads();
  float d = x[t] - fmaxf(s[0], s[1]), v = d;
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  if (lane == 0) s[w] = v;
  __syncthreads();
  y[t] = d + (s[0] + s[1]);
}
__global__ void cleared(const float* x, float* y) {
  __shared__ float s[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  if (w == 0) s[lane] = 0.0f;
  float v = x[t];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  if (lane == 0) s[w] = v;
  __syncthreads();
  if (t == 0) y[0] = s[0] + s[1];
}
__global__ void counter(const float* x, float* y) {
  __shared__ float c[1];
  if (threadIdx.x == 0) c[0] = 0.0f;
  __syncthreads();
  c[0] += x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) y[0] = c[0];
}
__global__ void shared_end(const float* x, float* y) {
  __shared__ float s[2];
  int t = threadIdx.x;
  if (t < 2) s[t] = x[t];
  __syncthreads();
  y[t] = s[t];
}
__global__ void partial_warp(const float* x, float* y) {
  float v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  y[threadIdx.x] = v;
}
__global__ void half_there(const float* x, float* y) {
  float v = x[threadIdx.x];
  if (threadIdx.x < 16) v += __shfl_xor_sync(0xffffffffu, v, 16);
  y[threadIdx.x] = v;
}
__global__ void no_barrier(const float* x, float* y) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void torn(const float* x, float* y) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 40) __syncthreads();
  y[threadIdx.x] = s[threadIdx.x];
}
__global__ void left_early(const float* x, float* y, int n) {
  __shared__ float s[64];
  if (threadIdx.x >= n) return;
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[n - 1 - threadIdx.x];
}
__global__ void unset(const float* x, float* y) {
  __shared__ float s[64];
  if (threadIdx.x != 5) s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void crooked(const float* x, float* y) {
  *reinterpret_cast<float4*>(y + threadIdx.x) = make_float4(x[0], x[1], x[2], x[3]);
}
__global__ void blocks_meet(float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 1.0f;
  if (i + 1 < n) y[n + i] = y[i + 1];
}
__global__ void by_value(const float* x, float* y, int n) {
  int i = threadIdx.x;
  if (2.5f < x[i]) y[i + n] = x[i]; else y[i] = x[i];
}
}
