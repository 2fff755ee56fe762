// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// The sign bit.
extern "C" __global__ void neg_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = -x[i];
    }
}
