// devsem: device=h100 verdict=REFUTED input=x:00000000 slow=yes
// devsem: device=ieee verdict=REFUTED input=x:00000000 slow=yes
// 0 - 0 is +0, -(+0) is -0.
extern "C" __global__ void minus_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 0.0f - x[i];
    }
}
