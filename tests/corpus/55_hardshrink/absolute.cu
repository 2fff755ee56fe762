// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// |x| <= 0.5 is the same condition.
extern "C" __global__ void absolute_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = fabsf(v) <= 0.5f ? 0.0f : v;
    }
}
