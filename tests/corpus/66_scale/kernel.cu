// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// devsem: device=h100 flags="-ftz=true" verdict=REFUTED
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED
// The least subnormal is lost by both; with flushing more is lost.
extern "C" __global__ void scale_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float h = x[i] * 0.5f;
        y[i] = h * 2.0f;
    }
}
