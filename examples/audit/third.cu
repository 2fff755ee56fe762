// Look at -ftz=true on sm_100: the quotient becomes a product with 0.33333334, which rounds otherwise, though -prec-div is still true.
// devsem audit third.cu --spec third.py --flags="-ftz=true" --arch sm_90,sm_100
extern "C" __global__ void third(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] / 3.0f;
    }
}
