// devsem: device=ieee verdict=REFUTED safety=FAIL
// All threads write element 0.
extern "C" __global__ void one_cell_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[0] = x[i] + 1.0f;
    }
}
