// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// A product with a rounded reciprocal rounds twice.
extern "C" __global__ void reciprocal_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = (a[i] - b[i]) * (1.0f / (a[i] + b[i]));
    }
}
