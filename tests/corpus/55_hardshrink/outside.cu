// devsem: device=h100 verdict=REFUTED input=x:7fc00000 slow=yes
// devsem: device=ieee verdict=REFUTED input=x:7fc00000 slow=yes
// The opposite condition is false for a NaN.
extern "C" __global__ void outside_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 0.5f || v < -0.5f ? v : 0.0f;
    }
}
