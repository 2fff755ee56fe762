// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=
// devsem: device=h100 verdict=PROVED obligations=
// 1 / sqrtf(x), both steps rounded.
extern "C" __global__ void inverse_root_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = 1.0f / sqrtf(x);
}
