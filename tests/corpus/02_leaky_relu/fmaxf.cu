// devsem: device=h100 verdict=OPEN truth=equal slow=yes
// devsem: device=ieee verdict=OPEN truth=equal slow=yes
// Equal, but no lemma says so: fmaxf(v, 0.01 v): for v > 0 rounding is monotone, so the product is at most v; for v < 0 it is at
// least v; zeros keep their sign, NaN stays NaN.
extern "C" __global__ void fmaxf_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = fmaxf(v, 0.01f * v);
    }
}
