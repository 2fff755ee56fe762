// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=PROVED slow=yes
// The product with 0.5 is exact or absorbed: neither fusing nor flushing shows.
extern "C" __global__ void half_plus_half_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[i] * 0.5f + 0.5f;
}
