// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=expf,log1pf,tanhf
// devsem: device=h100 verdict=PROVED obligations=expf,log1pf,tanhf
// Mish as PyTorch's CUDA code has it, without softplus's threshold.
extern "C" __global__ void mish_no_threshold_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = x * tanhf(log1pf(expf(x)));
}
