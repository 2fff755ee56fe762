// devsem: device=h100 verdict=PROVED obligations=expf,log1pf
// devsem: device=ieee verdict=PROVED obligations=expf,log1pf slow=yes
// Above 20 the identity.
extern "C" __global__ void softplus_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 20.0f ? v : log1pf(expf(v));
    }
}
