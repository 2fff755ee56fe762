// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED slow=yes
// The product with 0.5 is fused into the sum: what halving a subnormal loses shows.
extern "C" __global__ void addcmul_half_k(const float* x, const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[i] + 0.5f * (a[i] * b[i]);
}
