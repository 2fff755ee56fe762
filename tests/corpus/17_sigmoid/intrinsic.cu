// devsem: device=ieee,h100 verdict=OPEN
// __expf has a bound that widens with x, and is no function of the spec; near 0 it may be right.
extern "C" __global__ void intrinsic_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 1.0f / (1.0f + __expf(-x[i]));
    }
}
