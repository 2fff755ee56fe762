// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=PROVED slow=yes
// The same for x + 3, and the bounds are no subnormals.
extern "C" __global__ void hard_ramp_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i] + 3.0f;
    v = v < 0.0f ? 0.0f : v;
    y[i] = v > 6.0f ? 6.0f : v;
}
