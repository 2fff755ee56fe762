// Vector loads and stores, a structure by value, 64-bit integers, halves.
#include "cuda.h"
typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float2 __attribute__((ext_vector_type(2)));
struct Affine { float scale[3]; float shift; };
__device__ int counters[4] = {1, 2, -3};

extern "C" __global__ void axpby(const float4* x, const float4* y, float4* out, float a, float b, int n)
{
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i < n) out[i] = a * x[i] + b * y[i];
}

extern "C" __global__ void filter(const float2* x, float2* out, Affine m, unsigned long long n)
{
    unsigned long long i = blockIdx_x * (unsigned long long)blockDim_x + threadIdx_x;
    float2 s = 0.0f;
    for (int k = 0; k < 5; ++k) s += m.scale[k % 3] * x[(i + k) % n] + m.shift;
    out[i] = s;
    counters[threadIdx_x & 3] += 1;
}

extern "C" __global__ void halves(const _Float16* x, float* out)
{
    out[threadIdx_x] = (float)(x[threadIdx_x] * x[0]) + (float)(_Float16)out[0];
}
