// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// clamp at a zero bound keeps -0 (the newer text), as a NaN.
extern "C" __global__ void clamp_min_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        if (v < 0.0f) v = 0.0f;
        y[i] = v;
    }
}
