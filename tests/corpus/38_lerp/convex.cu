// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// (1 - w) * a + w * b: where a = b = inf it is inf, the spec NaN.
extern "C" __global__ void convex_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = (1.0f - 0.3f) * a[i] + 0.3f * b[i];
    }
}
