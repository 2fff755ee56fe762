// devsem: device=ieee verdict=REFUTED safety=FAIL
// Elements that are not positive are not written.
extern "C" __global__ void sometimes_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (x[i] > 0.0f) {
            y[i] = x[i] + 1.0f;
        }
    }
}
