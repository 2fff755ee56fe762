// devsem: device=ieee verdict=REFUTED slow=yes
// sin(2x)/2 as a real number; in Float32 2x overflows at 2^127, and the sine of infinity is NaN.
extern "C" __global__ void double_angle_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 0.5f * sinf(2.0f * x[i]);
    }
}
