// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// -1 * x is exact; a NaN is a NaN.
extern "C" __global__ void times_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = -1.0f * x[i];
    }
}
