// A factor for each row.
//: sizes   r 1..2**14, d 1..2**14
//: grid    cdiv(r * d, 256)
//: block   256
//: in x[r, d], s[r]
//: out y[r, d]
//: args    n = r * d
__global__ void scale_rows(const float* x, const float* s, float* y, int n, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * s[i / d];
    //! remainder for quotient | out of bounds | if (i < n) y[i] = x[i] * s[i % d];
    //! the next row | out of bounds | if (i < n) y[i] = x[i] * s[(i + 1) / d];
}
