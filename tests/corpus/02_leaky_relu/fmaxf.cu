// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// fmaxf(v, 0.01 v): for v > 0 rounding is monotone, so the product is at most v; for v < 0 it is at
// least v; zeros keep their sign, NaN stays NaN.
extern "C" __global__ void fmaxf_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = fmaxf(v, 0.01f * v);
    }
}
