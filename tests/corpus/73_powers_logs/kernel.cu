// devsem: device=h100 verdict=PROVED obligations=erfcf,exp2f,expm1f,lgammaf,log10f,log2f
// devsem: device=ieee verdict=PROVED obligations=erfcf,exp2f,expm1f,lgammaf,log10f,log2f slow=yes
// The same.
extern "C" __global__ void powers_logs_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r = exp2f(a[i]) * expm1f(a[i]);
        r = r * log2f(b[i]) * log10f(b[i]);
        y[i] = r * erfcf(a[i]) * lgammaf(b[i]);
    }
}
