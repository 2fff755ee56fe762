// devsem: device=ieee verdict=PROVED
// devsem: device=h100 verdict=REFUTED
// devsem: device=h100 flags="-fmad=false" verdict=PROVED
// Two products: whichever is fused, some inputs show it through the root.
extern "C" __global__ void hypotenuse_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = sqrtf(a[i] * a[i] + b[i] * b[i]);
    }
}
