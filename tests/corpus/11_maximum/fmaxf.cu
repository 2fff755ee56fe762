// devsem: device=ieee,h100 verdict=REFUTED
// fmaxf drops a NaN operand.
extern "C" __global__ void fmaxf_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(a[i], b[i]);
    }
}
