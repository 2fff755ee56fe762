// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// floor(x + 0.5): 0.5 becomes 1.
extern "C" __global__ void floor_half_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = floorf(x[i] + 0.5f);
    }
}
