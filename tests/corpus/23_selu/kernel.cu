// devsem: device=h100 verdict=PROVED obligations=expm1f
// devsem: device=ieee verdict=PROVED obligations=expm1f slow=yes
// scale * x, or (alpha * scale) * expm1(x), the product of the two constants rounded in Float32.
extern "C" __global__ void selu_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float alpha = 1.6732632423543772f;
        const float scale = 1.0507009873554805f;
        float v = x[i];
        y[i] = v > 0.0f ? scale * v : (alpha * scale) * expm1f(v);
    }
}
