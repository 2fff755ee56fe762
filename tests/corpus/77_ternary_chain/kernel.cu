// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// Ternaries in ternaries; a NaN falls through to -x on both sides.
extern "C" __global__ void ternary_chain_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 1.0f ? v : v > -1.0f ? v * v : -v;
    }
}
