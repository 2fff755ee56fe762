// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED slow=yes
// The square does not see the sign of the difference.
extern "C" __global__ void squared_difference_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float d = b[i] - a[i];
    y[i] = d * d;
}
