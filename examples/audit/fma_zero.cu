// Look at sm_100: from there on the compiler makes a plain product of fmaf(a, b, -0), and fuses that into the sum: one rounding, not two.
// devsem audit fma_zero.cu --spec fma_zero.py --arch sm_90,sm_100
extern "C" __global__ void fma_zero(const float* a, const float* b, const float* c, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaf(a[i], b[i], -0.0f) + c[i];
    }
}
