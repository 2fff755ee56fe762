// devsem: device=ieee verdict=PROVED slow=yes
// The same number in hexadecimal.
extern "C" __global__ void hexadecimal_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] * 0x1.99999ap-4f;
    }
}
