// devsem: device=ieee verdict=REFUTED input=x:80000000 slow=yes
// devsem: device=h100 equality=zero-sign verdict=PROVED slow=yes
// devsem: device=ieee equality=zero-sign verdict=PROVED slow=yes
// At -0 the test x <= 0 holds and gives +0; the spec keeps -0. A NaN passes, as in the spec.
extern "C" __global__ void less_equal_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v <= 0.0f ? 0.0f : v;
    }
}
