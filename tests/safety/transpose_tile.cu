// y = x^T through a padded tile of 32 x 32, 32 x 8 threads.
//: sizes   R 1..2**14, C 1..2**14
//: grid    cdiv(C, 32), cdiv(R, 32)
//: block   32, 8
//: in x[R, C]
//: out y[C, R]
__global__ void transpose_tile(const float* x, float* y, int R, int C) {
    __shared__ float tile[32][33];
    //! tile too small | out of bounds | __shared__ float tile[31][33];
    int c = blockIdx.x * 32 + threadIdx.x;
    int r = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
    //! a quarter not loaded | uninitialised | for (int j = 0; j < 24; j += 8)
        if (r + j < R && c < C) tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * C + c];
        //! no guard of rows | out of bounds | if (c < C) tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * C + c];
    __syncthreads();
    //! no barrier | race |
    int c2 = blockIdx.y * 32 + threadIdx.x;
    int r2 = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (r2 + j < C && c2 < R) y[(r2 + j) * R + c2] = tile[threadIdx.x][threadIdx.y + j];
        //! guards of the input | uninitialised | if (r2 + j < R && c2 < C) y[(r2 + j) * R + c2] = tile[threadIdx.x][threadIdx.y + j];
}
