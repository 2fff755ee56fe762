// devsem: device=h100 flags="-fmad=false" verdict=REFUTED
// devsem: device=h100 verdict=REFUTED
// exp(a) / exp(b) overflows where exp(a - b) does not.
extern "C" __global__ void exp_ratio_k(const float* a_in, const float* b_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = a_in[i];
    float b = b_in[i];
    y[i] = expf(a) / expf(b);
}
