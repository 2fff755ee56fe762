// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// m*c + (1-m)*d: an infinite c that is not chosen gives NaN.
extern "C" __global__ void arithmetic_k(const float* a, const float* b, const float* c, const float* d, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float m = a[i] > b[i] ? 1.0f : 0.0f;
        y[i] = m * c[i] + (1.0f - m) * d[i];
    }
}
