// devsem: device=h100 verdict=PROVED obligations=expf
// devsem: device=ieee verdict=PROVED obligations=expf slow=yes
// x / (1 + exp(-x)), as PyTorch's kernel has it.
extern "C" __global__ void silu_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v / (1.0f + expf(-v));
    }
}
