// devsem: device=h100 verdict=REFUTED input=x:3f800000 slow=yes
// devsem: device=ieee verdict=REFUTED input=x:3f800000 slow=yes
// devsem: device=h100 equality=zero-sign verdict=PROVED slow=yes
// devsem: device=ieee equality=zero-sign verdict=PROVED slow=yes
// -(x - 1) is -0 at 1.
extern "C" __global__ void negated_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = -(x[i] - 1.0f);
    }
}
