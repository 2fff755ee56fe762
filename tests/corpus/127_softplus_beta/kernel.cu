// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=expf,log1pf
// devsem: device=h100 verdict=PROVED obligations=expf,log1pf
// A half instead of the division by beta = 2.
extern "C" __global__ void softplus_beta_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = 2.0f * x > 20.0f ? x : log1pf(expf(2.0f * x)) * 0.5f;
}
