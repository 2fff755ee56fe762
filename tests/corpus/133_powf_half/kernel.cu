// devsem: device=h100 flags="-fmad=false" verdict=REFUTED
// devsem: device=h100 verdict=REFUTED
// powf(x, 0.5f) of minus infinity is infinity, and sqrt of it NaN.
extern "C" __global__ void powf_half_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = powf(x, 0.5f);
}
