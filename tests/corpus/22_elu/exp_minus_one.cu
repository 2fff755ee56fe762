// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// exp(x) - 1 cancels: at x = -2^-30 it is 0 or a multiple of 2^-24, expm1(x) is -2^-30.
extern "C" __global__ void exp_minus_one_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 0.0f ? v : expf(v) - 1.0f;
    }
}
