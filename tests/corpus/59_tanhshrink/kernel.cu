// devsem: device=h100 verdict=PROVED obligations=tanhf
// devsem: device=ieee verdict=PROVED obligations=tanhf slow=yes
// x - tanh(x); tanhf ends in no product.
extern "C" __global__ void tanhshrink_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] - tanhf(x[i]);
    }
}
