// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// The tests exchanged: above 1 the first one holds already.
extern "C" __global__ void exchanged_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > -1.0f ? v * v : v > 1.0f ? v : -v;
    }
}
