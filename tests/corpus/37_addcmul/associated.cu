// devsem: device=ieee verdict=REFUTED slow=yes
// (value * b) * c loses the last bit of a subnormal b.
extern "C" __global__ void associated_k(const float* a, const float* b, const float* c, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a[i] + 0.5f * b[i] * c[i];
    }
}
