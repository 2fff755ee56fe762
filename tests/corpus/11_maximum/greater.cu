// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// devsem: device=ieee assume="not isnan(a)" equality=zero-sign verdict=PROVED slow=yes
// a > b ? a : b gives b where a is a NaN, and the second of two zeros; where only b is a NaN it gives b, rightly. Without a NaN a
// the two are equal up to the sign of zero.
extern "C" __global__ void greater_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a[i] > b[i] ? a[i] : b[i];
    }
}
