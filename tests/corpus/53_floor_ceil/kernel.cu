// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// devsem: device=h100 flags="-ftz=true" verdict=REFUTED
// floorf and ceilf; with -ftz=true the least subnormal has no ceiling of 1.
extern "C" __global__ void floor_ceil_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = floorf(x[i]) + ceilf(x[i]);
    }
}
