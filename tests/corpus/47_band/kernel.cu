// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// && in a condition; no subnormal is mistaken without -ftz=true.
extern "C" __global__ void band_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 0.0f && v < 1.0f ? v : 0.0f;
    }
}
