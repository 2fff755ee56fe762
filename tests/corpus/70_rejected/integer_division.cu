// devsem: device=ieee verdict=REFUTED safety=FAIL
// Integer division.
extern "C" __global__ void integer_division_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i / 2] = x[i] + 1.0f;
    }
}
