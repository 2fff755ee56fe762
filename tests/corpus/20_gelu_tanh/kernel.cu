// devsem: device=ieee verdict=PROVED obligations=tanhf
// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=tanhf
// devsem: device=h100 verdict=OPEN truth=unknown slow=yes
// PyTorch's order of operations; 0.7978845608 is its M_SQRT2 * M_2_SQRTPI * 0.5 in Float32. With contraction the argument of tanhf
// is another number, within tanhf's bound.
extern "C" __global__ void gelu_tanh_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        float cube = v * v * v;
        float inner = 0.7978845608f * (v + 0.044715f * cube);
        y[i] = 0.5f * v * (1.0f + tanhf(inner));
    }
}
