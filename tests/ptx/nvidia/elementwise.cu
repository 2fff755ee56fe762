// Arithmetic, comparisons, selections and roundings, one element a thread.
extern "C" __global__ void arithmetic(const float* __restrict__ x, const float* __restrict__ y, float* out, int n, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = x[i], b = y[i];
    float r = a * b + scale;
    r = r > 0.0f ? r / (b * b + 1.0f) : fminf(r, a) - fmaxf(b, 0.5f);
    r = isnan(r) ? copysignf(1.0f, a) : fabsf(r) + sqrtf(a);
    out[i] = r * 0.1f - (a == b ? 1.0f / a : rsqrtf(a));
}

extern "C" __global__ void rounding(const float* x, int* whole, float* out, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float a = x[i];
        whole[i] = __float2int_rn(a) + (int)ceilf(a) * __float2int_rd(a) + (__float_as_int(a) >> 3);
        out[i] = __fadd_rz(a, rintf(a)) + truncf(__fmul_ru(a, 3.0f)) + __saturatef(a) + (float)(whole[i] % 7) + fmodf(a, 3.0f);
    }
}
