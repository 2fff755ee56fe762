// devsem: device=ieee,t4,a100,h100,b200,rtx4090 verdict=PROVED
// The sign bit.
extern "C" __global__ void neg_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = -x[i];
    }
}
