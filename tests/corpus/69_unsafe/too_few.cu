// devsem: device=ieee verdict=REFUTED safety=FAIL
// i < n - 1 leaves the last element.
extern "C" __global__ void too_few_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) {
        y[i] = x[i] + 1.0f;
    }
}
