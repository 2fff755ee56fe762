// The kernels of tests/launched.py, in CUDA: compiled with -fmad=false and run by the PTX emulator, against which threads.py is compared.
extern "C" {
__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.5f + 1.0f;
}
__global__ void stride(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    if (i % 3 == 1) { y[i] = x[i] * 0.5f; continue; }
    y[i] = x[i] - 1.0f;
  }
}
__global__ void tree(const float* x, float* y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int h = blockDim.x >> 1; h > 0; h >>= 1) {
    if (t < h) s[t] = s[t] + s[t + h];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0];
}
__global__ void tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float p[16];
  __shared__ float q[16];
  int row = blockIdx.y * 4 + threadIdx.y, col = blockIdx.x * 4 + threadIdx.x, me = threadIdx.y * 4 + threadIdx.x;
  float acc = 0.0f;
  for (int m = 0; m < (n + 3) / 4; m++) {
    int k = m * 4 + threadIdx.x, r = m * 4 + threadIdx.y;
    if (row < n && k < n) p[me] = a[row * n + k]; else p[me] = 0.0f;
    if (r < n && col < n) q[me] = b[r * n + col]; else q[me] = 0.0f;
    __syncthreads();
    for (int j = 0; j < 4; j++) acc = acc + p[threadIdx.y * 4 + j] * q[j * 4 + threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = acc;
}
__global__ void softmax(const float* x, float* y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float m = -3.0e38f, s = 0.0f;
  for (int j = 0; j < cols; j++) m = fmaxf(m, x[r * cols + j]);
  for (int j = 0; j < cols; j++) s = s + __expf(x[r * cols + j] - m);
  for (int j = 0; j < cols; j++) y[r * cols + j] = __expf(x[r * cols + j] - m) / s;
}
__global__ void transpose(const float* x, float* y, int n, int m) {
  __shared__ float s[72];
  int i = blockIdx.x * 8 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  if (i < m && j < n) s[threadIdx.y * 9 + threadIdx.x] = x[j * m + i];
  __syncthreads();
  int a = blockIdx.y * 8 + threadIdx.x, b = blockIdx.x * 8 + threadIdx.y;
  if (a < n && b < m) y[b * n + a] = s[threadIdx.x * 9 + threadIdx.y];
}
__global__ void vectors(const float* x, float* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i >= n) return;
  float4 p = *reinterpret_cast<const float4*>(x + i);
  *reinterpret_cast<float4*>(y + i) = make_float4(p.x * 2.0f, p.y * 2.0f, p.z * 2.0f, p.w * 2.0f);
}
__global__ void warp_sum(const float* x, float* y) {
  float v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v = v + __shfl_xor_sync(0xffffffffu, v, o);
  float u = __shfl_up_sync(0xffffffffu, v * x[threadIdx.x], 3);
  float d = __shfl_down_sync(0xffffffffu, x[threadIdx.x], 5, 8);
  float k = __shfl_sync(0xffffffffu, x[threadIdx.x], 3, 16);
  y[threadIdx.x] = (v + u) + (d + k);
}
__global__ void choose(const float* x, float* y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  float best = x[i * 4], last = 0.0f;
  for (int j = 1; j < 4; j++) {
    float v = x[i * 4 + j];
    if (best < v) { last = best; best = v; y[i] = v; }
    else { if (v < -1.0f) last = last + v; }
  }
  if (last < 0.0f) { y[n + i] = last * 2.0f; y[i] = best; return; }
  y[n + i] = last;
  y[i] = best - last;
}
__global__ void search(const float* x, float* y, int n) {
  int t = threadIdx.x, i = 0;
  float acc = 0.0f;
  while (i < n) {
    i = i + 1;
    if ((i + t) % 4 == 0) continue;
    if (i * t > 20) break;
    int j = 0;
    do { acc = acc + x[(i + j) & 7] * (float)(i - j); j++; } while (j < t % 3);
  }
  y[t] = acc;
}
__global__ void rotate(const float* x, float* y) {
  float a[4];
  for (int j = 0; j < 4; j++) a[(j + threadIdx.x) % 4] = x[threadIdx.x * 4 + j];
  for (int j = 0; j < 4; j++) y[threadIdx.x * 4 + j] = a[j] + a[3 - j];
}
}
