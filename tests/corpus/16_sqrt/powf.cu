// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// powf(-inf, 0.5) is +inf, sqrt(-inf) is NaN; powf(-0, 0.5) is +0.
extern "C" __global__ void powf_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = powf(x[i], 0.5f);
    }
}
