// devsem: device=h100 verdict=PROVED obligations=expm1f
// devsem: device=ieee verdict=PROVED obligations=expm1f slow=yes
// elu with input scale 1/2: x > 0 ? x : expm1(x * 0.5) * 2.
extern "C" __global__ void celu_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 0.0f ? v : 2.0f * expm1f(v * 0.5f);
    }
}
