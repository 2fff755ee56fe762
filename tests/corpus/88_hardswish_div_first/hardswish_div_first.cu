// devsem: device=h100 flags="-fmad=false" verdict=REFUTED slow=yes
// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED slow=yes
extern "C" __global__ void hardswish_div_first_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    float t = fminf(fmaxf(v + 3.0f, 0.0f), 6.0f) / 6.0f;
    y[i] = v * t;
}
