// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// max(a - b, 0) loses the NaN of inf - inf.
__device__ float squared(float v) { return v * v; }
extern "C" __global__ void wrong_helper_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = squared(fmaxf(a[i] - b[i], 0.0f));
    }
}
