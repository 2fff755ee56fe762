// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED slow=yes
extern "C" __global__ void relu6_if_chain_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    if (v < 0.0f) v = 0.0f;
    else if (v > 6.0f) v = 6.0f;
    y[i] = v;
}
