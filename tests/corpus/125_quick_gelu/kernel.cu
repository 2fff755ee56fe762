// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=expf
// devsem: device=h100 verdict=PROVED obligations=expf
// x * sigmoid(1.702 x).
extern "C" __global__ void quick_gelu_k(const float* x_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    y[i] = x * (1.0f / (1.0f + expf(-1.702f * x)));
}
