// devsem: device=ieee verdict=PROVED slow=yes
// The first store is overwritten.
extern "C" __global__ void dead_store_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 0.0f;
        float t = a[i];
        t += b[i];
        t *= a[i];
        y[i] = t;
    }
}
