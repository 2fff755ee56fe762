// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// log(1 + exp(-30)) is 0 after rounding 1 + exp(-30), log1p(exp(-30)) is not.
extern "C" __global__ void log_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 20.0f ? v : logf(1.0f + expf(v));
    }
}
