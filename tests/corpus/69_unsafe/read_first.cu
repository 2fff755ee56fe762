// devsem: device=ieee verdict=REFUTED safety=FAIL
// The load stands before the guard.
extern "C" __global__ void read_first_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    if (i < n) {
        y[i] = v + 1.0f;
    }
}
