// Shared memory with barriers, and a shared array whose size the launch gives.
#include "cuda.h"
extern __shared__ float row[];
extern "C" __global__ __attribute__((launch_bounds(128))) void block_sum(const float* x, float* out, int n)
{
    __shared__ float part[128];
    int t = threadIdx_x;
    float s = 0.0f;
    for (int i = blockIdx_x * blockDim_x + t; i < n; i += blockDim_x * gridDim_x) s += x[i];
    part[t] = s;
    __syncthreads();
    for (int step = 64; step > 0; step >>= 1) {
        if (t < step) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx_x] = part[0];
}

extern "C" __global__ void reverse(float* x)
{
    row[threadIdx_x] = x[threadIdx_x];
    __syncthreads();
    x[threadIdx_x] = row[blockDim_x - 1 - threadIdx_x];
    __nvvm_atom_add_gen_f(x, 1.0f);
}
