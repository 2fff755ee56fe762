// devsem: device=h100 verdict=REFUTED safety=FAIL
// devsem: device=ieee verdict=REFUTED safety=FAIL slow=yes
// Without a guard the last block writes past the end.
extern "C" __global__ void no_guard_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1.0f;
}
