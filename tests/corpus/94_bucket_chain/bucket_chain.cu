// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=PROVED slow=yes
extern "C" __global__ void bucket_chain_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    float r = 0.0f;
    if (v > 1.0f) r = 1.0f;
    if (v > 2.0f) r = 2.0f;
    if (v > 3.0f) r = 3.0f;
    y[i] = r;
}
