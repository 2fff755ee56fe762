// The row is the block's y.
//: sizes   R 1..65535, C 1..2**14
//: grid    cdiv(C, 128), R
//! one row less | unwritten | //: grid    cdiv(C, 128), max(R - 1, 1)
//! one row more | out of bounds | //: grid    cdiv(C, 128), min(R + 1, 65535)
//: block   128
//: in x[R, C], m[C]
//: out y[R, C]
__global__ void row_in_grid_y(const float* x, const float* m, float* y, int C) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (c < C) y[row * C + c] = x[row * C + c] * m[c];
    //! no guard | out of bounds | y[row * C + c] = x[row * C + c] * m[c];
    //! index turned | out of bounds | if (c < C) y[c * gridDim.y + row] = x[row * C + c] * m[row];
    //! row left out | race | if (c < C) y[c] = x[row * C + c] * m[c];
}
