// Kernels for tests/test_emulator.py, which computes what each must give in numpy, in this order of operations.
extern "C" __global__ void affine(const float* x, float* y, float a, float b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __fadd_rn(__fmul_rn(a, x[i]), b);
}

extern "C" __global__ void vectors(const float4* x, float4* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = x[i];
    y[i] = make_float4(v.w + 1.0f, v.z + 2.0f, v.y + 3.0f, v.x + 4.0f);
}

extern "C" __global__ void block_sum(const float* x, float* out, int n)
{
    __shared__ float part[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step >>= 1) {
        if (t < step) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void uneven(const float* x, float* y)
{
    __shared__ float part[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    float v = x[i];
    for (int k = 0; k <= blockIdx.x; ++k) {
        part[t] = v;
        __syncthreads();
        v += part[t ^ 1];
        __syncthreads();
    }
    y[i] = v;
}

extern "C" __global__ void product(const float* a, const float* b, float* c, int n)
{
    __shared__ float left[4][4], right[4][4];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 4 + y, column = blockIdx.x * 4 + x;
    float s = 0.0f;
    for (int k = 0; k < n; k += 4) {
        left[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0.0f;
        right[y][x] = column < n && k + y < n ? b[(k + y) * n + column] : 0.0f;
        __syncthreads();
        for (int j = 0; j < 4; ++j) s = __fadd_rn(s, __fmul_rn(left[y][j], right[j][x]));
        __syncthreads();
    }
    if (row < n && column < n) c[row * n + column] = s;
}

extern "C" __global__ void search(const float* x, int* out, int n, float limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, found = -1;
    for (int r = 0; r < n; ++r) {
        float s = 0.0f;
        for (int k = 0; k < n; ++k) {
            float v = x[(i * n + r) * n + k];
            if (v < 0.0f) continue;
            if (v > limit) break;
            s += v;
        }
        if (s > limit) { found = r; break; }
    }
    out[i] = found;
}

extern "C" __global__ void collatz(const int* x, int* out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i], steps = 0;
    while (v != 1) { v = v & 1 ? 3 * v + 1 : v / 2; ++steps; }
    out[i] = steps;
}

extern "C" __global__ void nested(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    if (v < 0.0f) {
        if (v < -1.0f) { y[i] = -1.0f; return; }
        if (i & 1) y[i] = v + v; else y[i] = v + 10.0f;
    } else if (v > 1.0f)
        y[i] = 1.0f;
    else
        y[i] = v;
}

extern "C" __global__ void rotate(const float* x, float* y, int by)
{
    float local[7];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 7; ++k) local[k] = x[i * 7 + k];
    for (int k = 0; k < 7; ++k) y[i * 7 + k] = local[((unsigned)(k * by + i)) & 3];
}

extern "C" __global__ void places(int* out)
{
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    out[b * blockDim.x * blockDim.y * blockDim.z + t] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x + 10000 * blockIdx.y + 100000 * blockIdx.z;
}

extern "C" __global__ void wide(const float* x, float* y, long long shift, unsigned n)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x + shift;
    y[i - shift] = x[(unsigned)(i * 3000000019ll) & (n - 1)];
}

// --- what is wrong ---
extern "C" __global__ void late_guard(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) y[i] = x[i];
}

extern "C" __global__ void negative(const float* x, float* y) { y[threadIdx.x] = x[(int)threadIdx.x - 2]; }

extern "C" __global__ void crooked(const float* x, float* y) { *(float4*)(y + threadIdx.x) = *(const float4*)x; }

extern "C" __global__ void two_writers(const float* x, float* y) { y[threadIdx.x / 2] = x[threadIdx.x]; }

extern "C" __global__ void neighbours(const float* x, float* y)
{
    __shared__ float part[64];
    part[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = part[threadIdx.x ^ 1];
}

extern "C" __global__ void reused(const float* x, float* y)
{
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    float v = part[t / 2];
    part[t] = v;
    __syncthreads();
    y[t] = v + part[t ^ 1];
}

extern "C" __global__ void blocks_meet(float* y) { y[blockIdx.x] = 1.0f; y[64] = y[blockIdx.x + 1 < gridDim.x ? blockIdx.x + 1 : 0]; }

extern "C" __global__ void unset(float* y)
{
    __shared__ float part[64];
    if (threadIdx.x != 5) part[threadIdx.x] = 1.0f;
    __syncthreads();
    y[threadIdx.x] = part[threadIdx.x];
}

extern "C" __global__ void torn(const float* x, float* y)
{
    __shared__ float part[64];
    part[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x < 40) __syncthreads();
    y[threadIdx.x] = part[threadIdx.x ^ 1];
}

extern "C" __global__ void left_early(const float* x, float* y, int n)
{
    if ((int)threadIdx.x >= n) return;
    __syncthreads();
    y[threadIdx.x] = x[threadIdx.x];
}

extern "C" __global__ void endless(const volatile float* x, float* y) { while (x[0] < 1.0f) y[threadIdx.x] = 2.0f; }

extern "C" __global__ void total(const float* x, float* y) { atomicAdd(y, x[threadIdx.x]); }

// --- warps ---
extern "C" __global__ void warp_sum(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = i < n ? x[i] : 0.0f;
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
    if (i < n) y[i] = s;
}

extern "C" __global__ void shuffles(const int* x, int* y)
{
    int t = threadIdx.x, v = x[t];
    y[4 * t] = __shfl_up_sync(0xffffffffu, v, 3);
    y[4 * t + 1] = __shfl_down_sync(0xffffffffu, v, 5, 8);
    y[4 * t + 2] = __shfl_sync(0xffffffffu, v, 35, 16);
    y[4 * t + 3] = __shfl_xor_sync(0xffffffffu, v, 9, 16);
}

extern "C" __global__ void votes(const float* x, int* y)
{
    int t = threadIdx.x;
    bool positive = x[t] > 0.0f;
    y[4 * t] = __ballot_sync(0xffffffffu, positive);
    y[4 * t + 1] = __any_sync(0xffffffffu, positive);
    y[4 * t + 2] = __all_sync(0xffffffffu, positive);
    y[4 * t + 3] = __uni_sync(0xffffffffu, positive);
}

extern "C" __global__ void half_warp(const float* x, float* y, int n)
{
    int t = threadIdx.x;
    if (t >= n) return;
    y[t] = __shfl_xor_sync(0xffffffffu, x[t], 1);
}

extern "C" __global__ void torn_warp(const float* x, float* y, int n)
{
    int t = threadIdx.x;
    float v = x[t];
    if (t >= n) v = __shfl_xor_sync(0xffffffffu, v, 1);
    y[t] = v;
}
