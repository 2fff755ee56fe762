// devsem: device=h100 verdict=REFUTED
// devsem: device=ieee verdict=REFUTED slow=yes
// a <= b is not the opposite of a > b: both are false for a NaN.
extern "C" __global__ void negated_k(const float* a, const float* b, const float* c, const float* d, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a[i] <= b[i] ? d[i] : c[i];
    }
}
