// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED slow=yes
extern "C" __global__ void saturate_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = __saturatef(x[i]);
}
