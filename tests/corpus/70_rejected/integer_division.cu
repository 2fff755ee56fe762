// devsem: device=ieee verdict=REJECTED reject=cuda.integer_op@6
// Integer division.
extern "C" __global__ void integer_division_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i / 2] = x[i] + 1.0f;
    }
}
