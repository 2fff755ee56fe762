// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// Ternaries in the other order: the bounds do not cross, so it is no matter which is tested first.
extern "C" __global__ void hardtanh_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 0.5f ? 0.5f : v < -2.0f ? -2.0f : v;
    }
}
