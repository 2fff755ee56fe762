// devsem: device=ieee verdict=REFUTED slow=yes
// Kahan's difference of products is more accurate, and not the spec.
extern "C" __global__ void kahan_k(const float* a, const float* b, const float* c, const float* d, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float w = b[i] * c[i];
        float e = fmaf(-b[i], c[i], w);
        float f = fmaf(a[i], d[i], -w);
        y[i] = f + e;
    }
}
