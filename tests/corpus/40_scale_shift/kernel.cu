// devsem: device=ieee verdict=PROVED
// devsem: device=h100 verdict=PROVED
// 2x is exact unless it overflows, and then 2x + 1 overflows too: fused or not, the same.
extern "C" __global__ void scale_shift_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 2.0f * x[i] + 1.0f;
    }
}
