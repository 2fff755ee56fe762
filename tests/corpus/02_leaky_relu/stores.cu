// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// Both branches store.
extern "C" __global__ void stores_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (x[i] > 0.0f) {
            y[i] = x[i];
        } else {
            y[i] = x[i] * 0.01f;
        }
    }
}
