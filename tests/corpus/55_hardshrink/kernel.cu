// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// Outside [-0.5, 0.5], and a NaN, pass.
extern "C" __global__ void hardshrink_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v >= -0.5f && v <= 0.5f ? 0.0f : v;
    }
}
