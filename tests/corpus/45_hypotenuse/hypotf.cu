// devsem: device=ieee verdict=REFUTED slow=yes
// hypotf does not overflow: at a = b = 2^100.
extern "C" __global__ void hypotf_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = hypotf(a[i], b[i]);
    }
}
