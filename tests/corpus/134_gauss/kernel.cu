// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=expf
// devsem: device=h100 verdict=PROVED obligations=expf
// Half of the square, by a product or a quotient, the sign taken out.
extern "C" __global__ void gauss_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = expf(-x * x * 0.5f);
}
