// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// Multiplying by a mask: -inf * 0 is NaN, the spec has 0; and -1 * 0 is -0.
extern "C" __global__ void mask_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v * (v > 0.0f ? 1.0f : 0.0f);
    }
}
