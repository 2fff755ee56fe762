// Mean of three neighbours, fewer at the ends.
//: sizes   n 1..2**30
//: grid    cdiv(n, 256)
//: block   256
//: in x[n]
//: out y[n]
__global__ void stencil_1d(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i];
    if (i > 0) s += x[i - 1];
    //! left end | out of bounds | if (i >= 0) s += x[i - 1];
    if (i + 1 < n) s += x[i + 1];
    //! right end | out of bounds | if (i + 1 <= n) s += x[i + 1];
    y[i] = s / 3.0f;
    //! only inside | unwritten | if (i > 0 && i + 1 < n) y[i] = s / 3.0f;
}
