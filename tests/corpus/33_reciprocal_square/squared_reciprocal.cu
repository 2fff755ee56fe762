// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// (1/x) * (1/x) rounds twice elsewhere.
extern "C" __global__ void squared_reciprocal_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r = 1.0f / x[i];
        y[i] = r * r;
    }
}
