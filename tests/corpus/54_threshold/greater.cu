// devsem: device=h100 verdict=REFUTED input=x:7fc00000 slow=yes
// devsem: device=ieee verdict=REFUTED input=x:7fc00000 slow=yes
// x > threshold ? x : value: a NaN becomes 20.
extern "C" __global__ void greater_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 0.1f ? v : 20.0f;
    }
}
