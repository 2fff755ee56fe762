// A block walks along a row in tiles of 64 that it keeps in shared memory.
//: sizes   R 1..2**14, C 1..2**14
//: grid    R
//: block   64
//: in x[R, C]
//: out y[R, C]
__global__ void tile_loop_row(const float* x, float* y, int C) {
    __shared__ float s[64];
    int t = threadIdx.x;
    for (int j = 0; j < C; j += 64) {
    //! tiles until the thread's end | divergent barrier | for (int j = 0; j + t < C; j += 64) {
        int m = min(64, C - j);
        if (t < m) s[t] = x[blockIdx.x * C + j + t];
        //! whole tiles | out of bounds | s[t] = x[blockIdx.x * C + j + t];
        __syncthreads();
        //! no barrier after loading | race |
        if (t < m) y[blockIdx.x * C + j + t] = s[m - 1 - t];
        //! from the whole tile | uninitialised/race | if (t < m) y[blockIdx.x * C + j + t] = s[63 - t];
        __syncthreads();
        //! no barrier after use | race |
    }
}
