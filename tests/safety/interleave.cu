// Two arrays into one, alternating.
//: sizes   n 1..2**28
//: grid    cdiv(n, 256)
//: block   256
//: in a[n], b[n]
//: out y[2 * n]
//! output too small | out of bounds | //: out y[2 * n - 1]
__global__ void interleave(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[2 * i] = a[i];
        //! wrong stride | race | y[i] = a[i];
        y[2 * i + 1] = b[i];
        //! left out | unwritten |
        //! next even cell | out of bounds | y[2 * i + 2] = b[i];
    }
}
