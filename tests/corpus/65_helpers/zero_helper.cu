// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// 0 * w keeps the sign of w, w * w does not: a = -0, b = 0.
__device__ float rectified(float p, float q) { return p - q < 0.0f ? 0.0f : p - q; }
__device__ float squared(float w) {
    if (w == 0.0f) return 0.0f * w;
    return w * w;
}
extern "C" __global__ void zero_helper_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = squared(rectified(a[i], b[i]));
    }
}
