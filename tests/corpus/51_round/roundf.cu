// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// roundf takes ties away from zero: 0.5 becomes 1.
extern "C" __global__ void roundf_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = roundf(x[i]);
    }
}
