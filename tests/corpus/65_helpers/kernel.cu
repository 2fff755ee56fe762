// devsem: device=h100 verdict=PROVED bug="the prover does not see that (b + -a)*(b + -a) is 0 where b = a"
// devsem: device=ieee verdict=PROVED slow=yes bug="the prover does not see that (b + -a)*(b + -a) is 0 where b = a"
// Helpers that call helpers, with locals and early returns.
__device__ float positive_part(float v) { return v < 0.0f ? 0.0f : v; }
__device__ __forceinline__ float rectified(float p, float q) {
    float d = p - q;
    return positive_part(d);
}
static __device__ inline float squared(float v) {
    const float w = v;
    if (w == 0.0f) return 0.0f;
    return w * w;
}
extern "C" __global__ void helpers_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = squared(rectified(a[i], b[i]));
    }
}
