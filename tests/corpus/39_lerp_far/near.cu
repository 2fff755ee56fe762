// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// The other branch's formula.
extern "C" __global__ void near_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float p = a[i], q = b[i];
        y[i] = p + 0.75f * (q - p);
    }
}
