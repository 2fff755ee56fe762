// Look at NaN: fmaxf prefers the number, so this kernel answers 0 where torch.relu answers NaN.
// The usual way to write a ReLU; REFUTED on every device.
extern "C" __global__ void relu_fmaxf_kernel(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);
    }
}
