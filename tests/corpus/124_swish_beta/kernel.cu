// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=expf
// devsem: device=h100 verdict=PROVED obligations=expf
// The sign of the factor goes to the other one: -1.5 * x is -(1.5 * x).
extern "C" __global__ void swish_beta_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = x / (1.0f + expf(-1.5f * x));
}
