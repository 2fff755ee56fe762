// devsem: device=h100 verdict=REFUTED input=x:3dcccccd slow=yes
// devsem: device=ieee verdict=REFUTED input=x:3dcccccd slow=yes
// x < threshold: one number differs, the threshold itself.
extern "C" __global__ void strict_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v < 0.1f ? 20.0f : v;
    }
}
