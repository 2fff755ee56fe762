// Only even cells are written; the rest is zero from before.
//: sizes   n 1..2**28
//: grid    cdiv(n, 256)
//: block   256
//: in x[n]
//: zeros y[2 * n]
//! not zeroed | unwritten | //: out y[2 * n]
__global__ void every_other_zeros(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[2 * i] = x[i];
    //! next cell | out of bounds | if (i < n) y[2 * i + 2] = x[i];
    //! halved | race | if (i < n) y[i / 2] = x[i];
}
