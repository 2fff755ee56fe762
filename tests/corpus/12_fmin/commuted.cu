// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// min.f32 orders zeros and prefers numbers: the order of operands is no matter.
extern "C" __global__ void commuted_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = min(b[i], a[i]);
    }
}
