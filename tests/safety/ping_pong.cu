// T sweeps between two shared arrays, one barrier a sweep.
//: sizes   T 1..100, P 1..1000
//: grid    P
//: block   64
//: in x[P, 64]
//: out y[P, 64]
__global__ void ping_pong(const float* x, float* y, int T) {
    __shared__ float s[2][64];
    //! one array | out of bounds | __shared__ float s[1][64];
    int t = threadIdx.x;
    s[0][t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    //! no first barrier | race |
    for (int k = 0; k < T; k++) {
        s[(k + 1) % 2][t] = s[k % 2][t] + s[k % 2][63 - t];
        //! into the same array | race | s[k % 2][t] = s[k % 2][t] + s[k % 2][63 - t];
        __syncthreads();
        //! no barrier | race |
    }
    y[blockIdx.x * 64 + t] = s[T % 2][t];
}
