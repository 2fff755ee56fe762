// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// The int 3 becomes 3.0f.
extern "C" __global__ void int_literal_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] / 3;
    }
}
