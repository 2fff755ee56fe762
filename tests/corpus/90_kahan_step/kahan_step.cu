// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED slow=yes
extern "C" __global__ void kahan_step_k(const float* s, const float* c, const float* x, float* y, float* d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float t0 = x[i] - c[i];
    float t = s[i] + t0;
    y[i] = t;
    d[i] = (t - s[i]) - t0;
}
