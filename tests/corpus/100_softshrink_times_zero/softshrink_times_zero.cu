// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=PROVED slow=yes
// A product with zero carries NaN on, and is the same zero whether a subnormal was flushed or not.
extern "C" __global__ void softshrink_times_zero_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    y[i] = v > 0.5f ? v - 0.5f : (v < -0.5f ? v + 0.5f : v * 0.0f);
}
