// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// A guard against negative numbers turns NaN into 0.
extern "C" __global__ void guarded_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] < 0.0f ? 0.0f : sqrtf(x[i]);
    }
}
