// devsem: device=h100 verdict=REFUTED
// devsem: device=ieee verdict=REFUTED slow=yes
// The rounded third is not a third.
extern "C" __global__ void product_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] * (1.0f / 3.0f);
    }
}
