// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// Only zeros are treated otherwise: +0 passes (spec: +0 * 0.01 = +0), -0 passes (spec: -0 * 0.01 = -0).
extern "C" __global__ void greater_equal_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        float slope = 0.01f;
        y[i] = v >= 0.0f ? v : v * slope;
    }
}
