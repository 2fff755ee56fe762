// devsem: device=ieee verdict=PROVED
// devsem: device=h100 verdict=REFUTED
// devsem: device=h100 flags="-fmad=false" verdict=PROVED
// Horner's scheme: every step is fused by default.
extern "C" __global__ void polynomial_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        float r = v * 0.5f + 1.5f;
        r = r * v + 2.5f;
        y[i] = r * v;
    }
}
