// devsem: device=ieee verdict=REFUTED slow=yes
// atan2f's arguments exchanged.
extern "C" __global__ void exchanged_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = atan2f(b[i], a[i]) * hypotf(a[i], b[i]) * fmodf(a[i], b[i]);
    }
}
