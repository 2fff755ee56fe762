// float4 loads and stores, packed halves, structures by value, constant and global arrays.
#ifdef WITH_HALF
#include <cuda_fp16.h>
#endif
__constant__ float taps[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
__device__ int counters[4] = {1, 2, -3};
struct Affine { float scale[3]; float shift; };

extern "C" __global__ void axpby(const float4* __restrict__ x, const float4* __restrict__ y, float4* out, float a, float b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = x[i], q = __ldg(&y[i]);
    out[i] = make_float4(a * p.x + b * q.x, a * p.y + b * q.y, a * p.z + b * q.z, a * p.w + b * q.w);
}

extern "C" __global__ void filter(const float2* x, float2* out, Affine m, unsigned long long n)
{
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    float2 s = make_float2(0.0f, 0.0f);
    for (int k = 0; k < 5; ++k) {
        s.x += taps[k] * x[(i + k) % n].x * m.scale[k % 3];
        s.y += taps[k] * x[(i + k) % n].y + m.shift;
    }
    out[i] = s;
    counters[threadIdx.x & 3] += 1;
}

#ifdef WITH_HALF
extern "C" __global__ void halves(const __half2* x, float* out)
{
    float2 f = __half22float2(__hfma2(x[threadIdx.x], x[threadIdx.x], __float2half2_rn(1.0f)));
    out[threadIdx.x] = f.x + f.y + __half2float(__float2half_rn(f.x));
}
#endif
