// devsem: device=h100 verdict=OPEN truth=unknown slow=yes
// devsem: device=ieee verdict=OPEN truth=unknown slow=yes
// 1 / sqrt(x) is within 2 ulp of the reciprocal root, as rsqrtf is.
extern "C" __global__ void quotient_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 1.0f / sqrtf(x[i]);
    }
}
