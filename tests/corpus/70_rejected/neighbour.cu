// devsem: device=ieee verdict=REJECTED reject=goal.index@6
// Another element is read.
extern "C" __global__ void neighbour_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (i > 0 && i < n) y[i] = x[i - 1] + 1.0f;
        else y[i] = x[i] + 1.0f;
    }
}
