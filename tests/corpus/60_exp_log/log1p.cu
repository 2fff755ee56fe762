// devsem: device=ieee verdict=REFUTED slow=yes
// log1p(exp(x)) keeps what exp(-30) + 1 loses.
extern "C" __global__ void log1p_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = log1pf(expf(x[i]));
    }
}
