// devsem: device=h100 verdict=REFUTED input=x:7fc00000
// devsem: device=ieee verdict=REFUTED input=x:7fc00000 slow=yes
// fmaxf prefers the number: 0 for a NaN, where the spec has NaN.
extern "C" __global__ void fmaxf_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);
    }
}
