// devsem: device=h100 verdict=REFUTED
// devsem: device=ieee verdict=REFUTED slow=yes
// __expf(x) is ex2.approx(x * log2(e)), the product rounded: at x = 12 that costs 4 ulp, and each function is within 2.
extern "C" __global__ void intrinsic_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 1.0f / (1.0f + __expf(-x[i]));
    }
}
