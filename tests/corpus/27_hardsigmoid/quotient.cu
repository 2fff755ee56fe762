// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// Division by 6 rounds otherwise.
extern "C" __global__ void quotient_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float t = x[i] + 3.0f;
        t = t < 0.0f ? 0.0f : t > 6.0f ? 6.0f : t;
        y[i] = t / 6.0f;
    }
}
