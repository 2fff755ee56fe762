// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// clamp(x, 0, 6): -0 and NaN pass.
extern "C" __global__ void relu6_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v < 0.0f ? 0.0f : v > 6.0f ? 6.0f : v;
    }
}
