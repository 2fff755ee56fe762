// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=expf
// devsem: device=h100 verdict=PROVED obligations=expf
// Both forms of the sigmoid, chosen by the sign, as the module chooses them.
extern "C" __global__ void sigmoid_branch_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = x >= 0.0f ? 1.0f / (1.0f + expf(-x)) : expf(x) / (1.0f + expf(x));
}
