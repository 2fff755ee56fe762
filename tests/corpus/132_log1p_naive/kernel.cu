// devsem: device=h100 flags="-fmad=false" verdict=REFUTED
// devsem: device=h100 verdict=REFUTED
// logf(1 + x) loses a small x.
extern "C" __global__ void log1p_naive_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = logf(1.0f + x);
}
