// devsem: device=h100 flags="-fmad=false" verdict=REFUTED
// devsem: device=h100 verdict=REFUTED
// expf(x) - 1 cancels where expm1 does not.
extern "C" __global__ void elu_exp_minus_one_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = x > 0.0f ? x : 1.5f * (expf(x) - 1.0f);
}
