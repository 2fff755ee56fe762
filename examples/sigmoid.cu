// Look at the obligation: no standard fixes expf, so the theorem names what it assumes of it.
// Where the flags replace expf or the division by approximations, no proof goes through.
extern "C" __global__ void sigmoid_kernel(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 1.0f / (1.0f + expf(-x[i]));
    }
}
