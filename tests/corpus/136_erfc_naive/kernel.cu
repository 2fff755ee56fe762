// devsem: device=h100 flags="-fmad=false" verdict=REFUTED
// devsem: device=h100 verdict=REFUTED
// 1 - erff(x) is 0 from 4 on.
extern "C" __global__ void erfc_naive_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = 1.0f - erff(x);
}
