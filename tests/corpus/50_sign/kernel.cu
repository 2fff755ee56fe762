// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// 0 for zeros and NaN.
extern "C" __global__ void sign_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 0.0f ? 1.0f : (v < 0.0f ? -1.0f : 0.0f);
    }
}
