// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// The larger of x and -x; +0 for both zeros, since -0 < +0 in max.f32.
extern "C" __global__ void fmaxf_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], -x[i]);
    }
}
