// devsem: device=h100 verdict=PROVED obligations=erff
// devsem: device=ieee verdict=PROVED obligations=erff slow=yes
// (0.5 x) * (1 + erf(x * sqrt(1/2))); no product is added to anything.
extern "C" __global__ void gelu_erf_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = 0.5f * v * (1.0f + erff(v * 0.70710678118654752440f));
    }
}
