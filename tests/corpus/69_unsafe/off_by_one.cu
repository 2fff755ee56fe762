// devsem: device=ieee verdict=REFUTED safety=FAIL
// i <= n writes element n.
extern "C" __global__ void off_by_one_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) {
        y[i] = x[i] + 1.0f;
    }
}
