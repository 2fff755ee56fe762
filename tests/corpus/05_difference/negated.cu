// devsem: device=h100 verdict=REFUTED
// devsem: device=ieee verdict=REFUTED slow=yes
// devsem: device=h100 equality=zero-sign verdict=PROVED
// devsem: device=ieee equality=zero-sign verdict=PROVED slow=yes
// -(a - b) is -0 where a = b, b - a is +0. Otherwise rounding to nearest is symmetric.
extern "C" __global__ void negated_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = -(a[i] - b[i]);
    }
}
