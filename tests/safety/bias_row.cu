// A row vector added to every row; the row is found by division.
//: sizes   r 1..2**14, d 1..2**14
//: grid    cdiv(r * d, 256)
//: block   256
//: in x[r, d], b[d]
//! short vector | out of bounds | //: in x[r, d], b[max(d - 1, 1)]
//: out y[r, d]
//: args    n = r * d
__global__ void bias_row(const float* x, const float* b, float* y, int n, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + b[i % d];
    //! quotient for remainder | out of bounds | if (i < n) y[i] = x[i] + b[i / d];
    //! wrong modulus | out of bounds | if (i < n) y[i] = x[i] + b[i % (d + 1)];
    //! guard of a row | unwritten | if (i < d) y[i] = x[i] + b[i % d];
}
