// devsem: device=ieee verdict=REJECTED reject=cuda.goto@6,cuda.goto@7
// goto.
extern "C" __global__ void goto_label_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        goto end;
        end:
        y[i] = x[i] + 1.0f;
    }
}
