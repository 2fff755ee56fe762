// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// Early returns in a helper.
__device__ __forceinline__ float clamped(float v, float low, float high) {
    if (v < low) return low;
    if (v > high) return high;
    return v;
}
extern "C" __global__ void if_return_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = clamped(x[i], -1.0f, 1.0f);
    }
}
