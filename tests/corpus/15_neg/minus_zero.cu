// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// -0 - x is -x for every x: -0 - (+0) is -0, -0 - (-0) is +0.
extern "C" __global__ void minus_zero_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = -0.0f - x[i];
    }
}
