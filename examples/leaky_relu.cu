// Look at the test: the spec asks `v > 0`, this kernel `v >= 0`. They part at zeros and agree nonetheless,
// except where the flags let the product flush: compare the device with and without -ftz=true.
extern "C" __global__ void leaky_relu_kernel(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        float slope = 0.01f;
        y[i] = v >= 0.0f ? v : slope * v;
    }
}
