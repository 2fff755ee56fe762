// y = x^T, one cell a thread.
//: sizes   R 1..2**14, C 1..2**14
//: grid    cdiv(C, 32), cdiv(R, 8)
//: block   32, 8
//: in x[R, C]
//: out y[C, R]
__global__ void transpose_naive(const float* x, float* y, int R, int C) {
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    //! steps exchanged | race/unwritten | int c = blockIdx.x * 8 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    if (r < R && c < C)
    //! guards exchanged | out of bounds | if (r < C && c < R)
    //! off by one in rows | out of bounds | if (r <= R && c < C)
        y[c * R + r] = x[r * C + c];
        //! width of the input | out of bounds/race | y[c * C + r] = x[r * C + c];
}
