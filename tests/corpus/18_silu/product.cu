// devsem: device=ieee verdict=REFUTED slow=yes
// x * (1 / (1 + exp(-x))) rounds once more.
extern "C" __global__ void product_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v * (1.0f / (1.0f + expf(-v)));
    }
}
