// devsem: device=ieee bind="slope=0.02" verdict=REFUTED slow=yes
// The same kernel with another slope.
extern "C" __global__ void other_slope_k(const float* x, float* y, float slope, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 0.0f ? v : slope * v;
    }
}
