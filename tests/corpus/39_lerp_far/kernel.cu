// devsem: device=ieee verdict=PROVED
// devsem: device=h100 flags="-fmad=false" verdict=PROVED
// A weight from one half on: b - (b - a) * (1 - w).
extern "C" __global__ void lerp_far_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float p = a[i], q = b[i];
        y[i] = q - (q - p) * (1.0f - 0.75f);
    }
}
