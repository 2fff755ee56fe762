// devsem: device=ieee verdict=PROVED
// devsem: device=h100 verdict=REFUTED
// devsem: device=h100 flags="-fmad=false" verdict=PROVED
// A weight below one half: a + w * (b - a).
extern "C" __global__ void lerp_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a[i] + 0.3f * (b[i] - a[i]);
    }
}
