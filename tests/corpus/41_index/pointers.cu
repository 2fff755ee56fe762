// devsem: device=ieee verdict=PROVED slow=yes
// Pointer arithmetic and __ldg.
extern "C" __global__ void pointers_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        *(y + i) = __ldg(&x[i]) + 1.0f;
    }
}
