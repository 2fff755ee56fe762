// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// (x * clamp(x + 3, 0, 6)) * one sixth, in this order.
extern "C" __global__ void hardswish_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i], t = v + 3.0f;
        if (t < 0.0f) {
            t = 0.0f;
        } else if (t > 6.0f) {
            t = 6.0f;
        }
        y[i] = v * t * 0.16666667f;
    }
}
