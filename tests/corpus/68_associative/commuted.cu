// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// c + (b + a) is (a + b) + c by two commutations.
extern "C" __global__ void commuted_k(const float* a, const float* b, const float* c, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = c[i] + (b[i] + a[i]);
    }
}
