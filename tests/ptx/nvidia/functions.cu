// Kernels that call CUDA's math functions: long straight-line code, slow paths with loops and local arrays, tables in constant memory.
extern "C" __global__ void functions(const float* __restrict__ x, float* __restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = x[i];
    out[i] = powf(a, sinf(a)) + tanhf(a) + erff(expf(a)) + log1pf(a) + cosf(a) * 1.0e-3f;
}

extern "C" __global__ void gelu(const float* __restrict__ x, float* __restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float a = x[i];
        out[i] = 0.5f * a * (1.0f + tanhf(0.7978845608f * (a + 0.044715f * a * a * a))) + a / (1.0f + __expf(-a)) + logf(a) * exp2f(a);
    }
}

extern "C" __global__ void wide(const double* x, double* out, float* single)
{
    int i = threadIdx.x;
    out[i] = exp(x[i]) * sqrt(x[i]) + 1.0 / x[i];
    single[i] = (float)out[i];
}
