// Look at subnormals: halving and doubling is exact nearly everywhere, and the kernel does what the spec does.
// With -ftz=true the device flushes subnormals to zero, and the verdict flips.
extern "C" __global__ void scale_kernel(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float half = x[i] * 0.5f;
        y[i] = half * 2.0f;
    }
}
