// devsem: device=h100 verdict=REFUTED input=x:7fc00000 slow=yes
// devsem: device=ieee verdict=REFUTED input=x:7fc00000 slow=yes
// devsem: device=ieee assume="not isnan(x)" verdict=REFUTED input=x:80000000 slow=yes
// devsem: device=h100 assume="not isnan(x)" equality=zero-sign verdict=PROVED slow=yes
// devsem: device=ieee assume="not isnan(x)" equality=zero-sign verdict=PROVED slow=yes
// x > 0 is false for a NaN and for -0: the kernel gives +0 for both, the spec NaN and -0.
extern "C" __global__ void greater_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 0.0f ? v : 0.0f;
    }
}
