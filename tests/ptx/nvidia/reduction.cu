// Shared memory, barriers, shuffles, votes and atomics.
extern "C" __global__ void __launch_bounds__(256, 2) block_sum(const float* __restrict__ x, float* out, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) s += x[i];
    part[t] = s;
    __syncthreads();
    for (int step = 128; step > 0; step >>= 1) {
        if (t < step) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void softmax(const float* __restrict__ x, float* __restrict__ out, int columns)
{
    extern __shared__ float row[];
    float top = __int_as_float(0xff800000);
    for (int i = threadIdx.x; i < columns; i += 32) top = fmaxf(top, row[i] = x[blockIdx.x * columns + i]);
    for (int d = 16; d; d /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, d));
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += 32) sum += row[i] = expf(row[i] - top);
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    for (int i = threadIdx.x; i < columns; i += 32) out[blockIdx.x * columns + i] = row[i] / sum;
}

extern "C" __global__ void count(const float* x, int* bins, float* total)
{
    float a = x[blockIdx.x * blockDim.x + threadIdx.x];
    unsigned voted = __ballot_sync(0xffffffffu, a > 0.0f);
    if (__any_sync(0xffffffffu, a > 1.0f)) atomicAdd(&bins[__popc(voted)], 1);
    atomicAdd(total, a);
}
