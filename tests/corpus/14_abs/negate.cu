// devsem: device=ieee verdict=REFUTED input=x:80000000 slow=yes
// devsem: device=h100 equality=zero-sign verdict=PROVED slow=yes
// devsem: device=ieee equality=zero-sign verdict=PROVED slow=yes
// x < 0 is false for -0, which stays -0.
extern "C" __global__ void negate_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v < 0.0f ? -v : v;
    }
}
