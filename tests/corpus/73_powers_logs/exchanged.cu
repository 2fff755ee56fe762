// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// log2 and log10 exchanged with their arguments.
extern "C" __global__ void exchanged_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r = exp2f(a[i]) * expm1f(a[i]);
        r = r * log2f(a[i]) * log10f(b[i]);
        y[i] = r * erfcf(a[i]) * lgammaf(b[i]);
    }
}
