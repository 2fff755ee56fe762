// devsem: device=ieee verdict=PROVED
// devsem: device=h100 flags="-fmad=false" verdict=PROVED
// devsem: device=h100 verdict=REFUTED
// a + value * (b * c), each operation rounded.
extern "C" __global__ void addcmul_k(const float* a, const float* b, const float* c, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a[i] + 0.5f * (b[i] * c[i]);
    }
}
