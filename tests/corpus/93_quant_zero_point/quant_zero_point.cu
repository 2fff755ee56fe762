// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED slow=yes
extern "C" __global__ void quant_zero_point_k(const float* x, const float* s, const float* z, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float q = rintf(x[i] / s[i]) + z[i];
    q = q < 0.0f ? 0.0f : q > 255.0f ? 255.0f : q;
    y[i] = (q - z[i]) * s[i];
}
