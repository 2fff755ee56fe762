// devsem: device=h100 verdict=PROVED obligations=expf,log1pf,tanhf
// devsem: device=ieee verdict=PROVED obligations=expf,log1pf,tanhf slow=yes
// x * tanh(log1p(exp(x))).
extern "C" __global__ void mish_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v * tanhf(log1pf(expf(v)));
    }
}
