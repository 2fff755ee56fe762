// devsem: device=ieee verdict=PROVED slow=yes
// Compound assignment to memory.
extern "C" __global__ void compound_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = b[i];
        y[i] += a[i];
        y[i] *= a[i];
    }
}
