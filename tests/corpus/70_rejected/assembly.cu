// devsem: device=ieee verdict=REJECTED reject=cuda.asm@6
// Assembly.
extern "C" __global__ void assembly_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        asm("");
        y[i] = x[i] + 1.0f;
    }
}
