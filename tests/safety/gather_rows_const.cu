// Every row picks the column of its number, wrapped around.
//: sizes   R 1..2**14, C 1..2**14
//: grid    cdiv(R, 128)
//: block   128
//: in x[R, C]
//: out y[R]
__global__ void gather_rows_const(const float* x, float* y, int R, int C) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < R) y[r] = x[r * C + r % C];
    //! not wrapped | out of bounds | if (r < R) y[r] = x[r * C + r];
    //! wrapped by rows | out of bounds | if (r < R) y[r] = x[r * C + C - r % R];
}
