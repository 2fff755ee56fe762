// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// PyTorch's CUDA text multiplies by one sixth.
extern "C" __global__ void hardsigmoid_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float t = x[i] + 3.0f;
        t = t < 0.0f ? 0.0f : t;
        t = t > 6.0f ? 6.0f : t;
        y[i] = t * (1.0f / 6.0f);
    }
}
