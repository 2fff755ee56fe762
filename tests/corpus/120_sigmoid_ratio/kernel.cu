// devsem: device=h100 flags="-fmad=false" verdict=REFUTED
// devsem: device=h100 verdict=REFUTED
// expf(x) / (1 + expf(x)) is infinity over infinity from 89 on.
extern "C" __global__ void sigmoid_ratio_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = expf(x) / (1.0f + expf(x));
}
