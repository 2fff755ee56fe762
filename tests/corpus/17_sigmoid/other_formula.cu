// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// exp(inf)/(1 + exp(inf)) is NaN, the sigmoid of inf is 1.
extern "C" __global__ void other_formula_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float e = expf(x[i]);
        y[i] = e / (1.0f + e);
    }
}
