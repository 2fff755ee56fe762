// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// PyTorch's CUDA text: a NaN passes, +0 inside the band.
extern "C" __global__ void softshrink_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        if (v != v) {
            y[i] = v;
        } else if (v > 0.5f) {
            y[i] = v - 0.5f;
        } else if (v < -0.5f) {
            y[i] = v + 0.5f;
        } else {
            y[i] = 0.0f;
        }
    }
}
