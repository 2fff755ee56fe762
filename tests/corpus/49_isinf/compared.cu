// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// Equal: fabsf(x) == INFINITY.
extern "C" __global__ void compared_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fabsf(x[i]) == INFINITY ? 1.0f : x[i];
    }
}
