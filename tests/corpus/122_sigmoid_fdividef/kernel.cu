// devsem: device=h100 flags="-fmad=false" verdict=REFUTED
// devsem: device=h100 verdict=REFUTED
// __fdividef gives 0 where the divisor is above 2^126.
extern "C" __global__ void sigmoid_fdividef_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = __fdividef(1.0f, 1.0f + expf(-x));
}
