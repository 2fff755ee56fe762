// A thread finds the largest of a row.
//: sizes   R 1..2**14, C 1..2**14
//: grid    cdiv(R, 64)
//: block   64
//: in x[R, C]
//: out y[R]
__global__ void row_max(const float* x, float* y, int R, int C) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < R) {
        const float* row = x + (long long)r * C;
        //! the next row | out of bounds | const float* row = x + (long long)(r + 1) * C;
        float m = row[0];
        for (int j = 1; j < C; ++j) m = fmaxf(m, row[j]);
        //! counts from the end | out of bounds | for (int j = C; j > 0; --j) m = fmaxf(m, row[j]);
        y[r] = m;
    }
}
