// Cumulative sum, a row a thread.
//: sizes   R 1..2**14, C 1..2**14
//: grid    cdiv(R, 32)
//: block   32
//: in x[R, C]
//: out y[R, C]
__global__ void running_sum(const float* x, float* y, int R, int C) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= R) return;
    float s = 0.0f;
    for (int j = 0; j < C; j++) {
        s += x[r * C + j];
        //! reads what is not yet there | uninitialised | s = x[r * C + j] + y[r * C + j];
        y[r * C + j] = s;
        //! shifted | out of bounds/race | y[r * C + j + 1] = s;
    }
}
