// devsem: device=ieee verdict=PROVED
// switch.
extern "C" __global__ void switch_case_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        switch (n) {
        default:
            y[i] = x[i] + 1.0f;
        }
    }
}
