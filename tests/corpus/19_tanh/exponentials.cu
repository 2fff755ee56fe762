// devsem: device=h100 verdict=REFUTED
// devsem: device=ieee verdict=REFUTED slow=yes
// inf/inf is NaN, tanh(inf) is 1.
extern "C" __global__ void exponentials_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float e = expf(2.0f * x[i]);
        y[i] = (e - 1.0f) / (e + 1.0f);
    }
}
