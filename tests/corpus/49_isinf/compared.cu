// devsem: device=h100 verdict=OPEN truth=equal slow=yes
// devsem: device=ieee verdict=OPEN truth=equal slow=yes
// Equal, but not proved yet: fabsf(x) == INFINITY.
extern "C" __global__ void compared_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fabsf(x[i]) == INFINITY ? 1.0f : x[i];
    }
}
