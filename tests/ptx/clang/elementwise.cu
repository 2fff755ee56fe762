// Arithmetic, selections, roundings and approximate instructions, one element a thread.
#include "cuda.h"
extern "C" __global__ void arithmetic(const float* x, const float* y, float* out, int n, float scale)
{
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n) return;
    float a = x[i], b = y[i], r = a * b + scale;
    r = r > 0.0f ? r / (b * b + 1.0f) : __builtin_fminf(r, a) - __builtin_fmaxf(b, 0.5f);
    r = r != r ? __builtin_copysignf(1.0f, a) : __builtin_fabsf(r) + __builtin_sqrtf(a);
    out[i] = r * 0.1f + __builtin_fmaf(a, b, 2.0f) + __nvvm_ex2_approx_f(a) + __nvvm_rcp_rn_f(b) + __builtin_floorf(a);
}

extern "C" __global__ void convert(const float* x, int* whole, double* wide, unsigned n)
{
    for (unsigned i = blockIdx_x * blockDim_x + threadIdx_x; i < n; i += gridDim_x * blockDim_x) {
        whole[i] = (int)x[i] + (int)__builtin_ceilf(x[i]) * 3 + (__builtin_bit_cast(int, x[i]) >> 3) % 7;
        wide[i] = (double)x[i] * 0.1 + (double)whole[i];
    }
}
