// devsem: device=h100 verdict=PROVED obligations=cosf,sinf
// devsem: device=ieee verdict=PROVED obligations=cosf,sinf slow=yes
// sinf and cosf.
extern "C" __global__ void sin_cos_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = sinf(x[i]) * cosf(x[i]);
    }
}
