// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=PROVED slow=yes
// A difference from a number of ordinary size is never subnormal, so flushing does not show.
extern "C" __global__ void softshrink_flushed_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    y[i] = v > 0.5f ? v - 0.5f : (v < -0.5f ? v + 0.5f : 0.0f);
}
