// devsem: device=h100 verdict=REFUTED input=x:7fc00000 slow=yes
// devsem: device=ieee verdict=REFUTED input=x:7fc00000 slow=yes
// The negated condition with || is true for a NaN only if written with !.
extern "C" __global__ void or_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v <= 0.0f || v >= 1.0f ? 0.0f : v;
    }
}
