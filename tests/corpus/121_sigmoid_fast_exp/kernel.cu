// devsem: device=h100 flags="-fmad=false" verdict=REFUTED
// devsem: device=h100 verdict=REFUTED
// The error of __expf grows with |x|, beyond any that expf may have.
extern "C" __global__ void sigmoid_fast_exp_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = 1.0f / (1.0f + __expf(-x));
}
