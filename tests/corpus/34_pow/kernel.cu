// devsem: device=h100 verdict=PROVED obligations=powf
// devsem: device=ieee verdict=PROVED obligations=powf slow=yes
// Not a special exponent: powf.
extern "C" __global__ void pow_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = powf(x[i], 2.5f);
    }
}
