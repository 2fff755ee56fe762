// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// isfinite is false at infinity too.
extern "C" __global__ void finite_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = isfinite(x[i]) ? x[i] : 0.0f;
    }
}
