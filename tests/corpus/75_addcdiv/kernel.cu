// devsem: device=ieee verdict=PROVED
// devsem: device=h100 flags="-fmad=false" verdict=PROVED
// a + value * (b / c).
extern "C" __global__ void addcdiv_k(const float* a, const float* b, const float* c, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a[i] + 2.0f * (b[i] / c[i]);
    }
}
