// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// x + x + 1 is not fused, and x + x is 2x.
extern "C" __global__ void doubled_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] + x[i] + 1.0f;
    }
}
