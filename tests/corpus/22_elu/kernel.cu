// devsem: device=h100 verdict=PROVED obligations=expm1f
// devsem: device=ieee verdict=PROVED obligations=expm1f slow=yes
// x > 0 ? x : expm1(x).
extern "C" __global__ void elu_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 0.0f ? v : expm1f(v);
    }
}
