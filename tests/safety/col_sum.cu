// A thread sums a column.
//: sizes   R 1..2**14, C 1..2**14
//: grid    cdiv(C, 128)
//! grid of the rows | unwritten | //: grid    cdiv(R, 128)
//: block   128
//: in x[R, C]
//: out y[C]
__global__ void col_sum(const float* x, float* y, int R, int C) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < C) {
        float s = 0.0f;
        for (int r = 0; r < R; r++) s += x[r * C + c];
        //! one more row | out of bounds | for (int r = 0; r <= R; r++) s += x[r * C + c];
        //! wrong stride | out of bounds | for (int r = 0; r < R; r++) s += x[(r + 1) * C + c];
        y[c] = s;
    }
}
