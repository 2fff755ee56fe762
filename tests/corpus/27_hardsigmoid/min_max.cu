// devsem: device=h100 verdict=REFUTED input=x:7fc00000 slow=yes
// devsem: device=ieee verdict=REFUTED input=x:7fc00000 slow=yes
// devsem: device=h100 assume="not isnan(x)" equality=zero-sign verdict=PROVED slow=yes
// fminf and fmaxf lose the NaN; otherwise the two agree.
extern "C" __global__ void min_max_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fminf(fmaxf(x[i] + 3.0f, 0.0f), 6.0f) * 0.16666667f;
    }
}
