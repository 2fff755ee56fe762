// devsem: device=h100 verdict=OPEN truth=unknown slow=yes
// devsem: device=ieee verdict=OPEN truth=unknown slow=yes
// x / sqrt(2) rounds otherwise than x * sqrt(1/2), which erff's bound of 2 ulp hides.
extern "C" __global__ void quotient_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = 0.5f * v * (1.0f + erff(v / 1.41421356237309504880f));
    }
}
