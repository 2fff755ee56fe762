// devsem: device=ieee verdict=REFUTED safety=FAIL
// Element i + 1 of i < n.
extern "C" __global__ void next_element_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i + 1] + 1.0f;
    }
}
