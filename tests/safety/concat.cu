// Two arrays, one after the other.
//: sizes   n 1..2**28, m 1..2**28
//: grid    cdiv(n + m, 256)
//! grid of the first | unwritten | //: grid    cdiv(n, 256)
//: block   256
//: in a[n], b[m]
//: out y[n + m]
__global__ void concat(const float* a, const float* b, float* y, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a[i];
    //! first one longer | out of bounds | if (i <= n) y[i] = a[i];
    else if (i < n + m) y[i] = b[i - n];
    //! not shifted | out of bounds | else if (i < n + m) y[i] = b[i];
    //! sum of sizes off | out of bounds | else if (i <= n + m) y[i] = b[i - n];
}
