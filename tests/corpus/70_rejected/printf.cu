// devsem: device=ieee verdict=REJECTED reject=cuda.printf@6
// Output.
extern "C" __global__ void printf_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        printf("%f", x[i]);
        y[i] = x[i] + 1.0f;
    }
}
