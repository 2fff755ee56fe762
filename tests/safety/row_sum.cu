// A thread sums a row.
//: sizes   R 1..2**14, C 1..2**14
//: grid    cdiv(R, 128)
//: block   128
//: in x[R, C]
//: out y[R]
__global__ void row_sum(const float* x, float* y, int R, int C) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= R) return;
    //! guard of the columns | out of bounds/unwritten | if (r >= C) return;
    float s = 0.0f;
    for (int j = 0; j < C; j++)
    //! one more column | out of bounds | for (int j = 0; j <= C; j++)
        s += x[r * C + j];
        //! wrong stride | out of bounds | s += x[r * R + j];
        //! column for row | out of bounds | s += x[j * R + r + 1];
    y[r] = s;
}
