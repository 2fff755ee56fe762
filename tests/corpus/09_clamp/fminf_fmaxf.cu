// devsem: device=h100 verdict=REFUTED input=x:7fc00000
// devsem: device=ieee verdict=REFUTED input=x:7fc00000 slow=yes
// devsem: device=h100 assume="not isnan(x)" verdict=PROVED
// devsem: device=ieee assume="not isnan(x)" verdict=PROVED slow=yes
// fmaxf(NaN, -1) is -1. Without NaN the two agree; no bound is a zero.
extern "C" __global__ void fminf_fmaxf_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fminf(fmaxf(x[i], -1.0f), 1.0f);
    }
}
