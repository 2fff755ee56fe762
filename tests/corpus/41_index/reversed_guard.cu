// devsem: device=ieee verdict=PROVED slow=yes
// n > i.
extern "C" __global__ void reversed_guard_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n > i) {
        y[i] = x[i] + 1.0f;
    }
}
