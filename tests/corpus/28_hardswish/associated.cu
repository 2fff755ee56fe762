// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// x * (clamp * sixth): above 3 it is x * 1, where the spec rounds twice.
extern "C" __global__ void associated_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i], t = v + 3.0f;
        t = t < 0.0f ? 0.0f : t > 6.0f ? 6.0f : t;
        y[i] = v * (t * 0.16666667f);
    }
}
