// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=
// devsem: device=h100 verdict=REFUTED
// Compiled by default, the square is fused into the sum.
extern "C" __global__ void root_of_square_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = sqrtf(x * x + 1e-6f);
}
