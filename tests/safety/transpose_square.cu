// y = x^T of a square matrix by tiles of 16 x 16; a thread without a cell stays for the barrier.
//: sizes   n 1..2**14
//: grid    cdiv(n, 16), cdiv(n, 16)
//: block   16, 16
//: in x[n, n]
//: out y[n, n]
__global__ void transpose_square(const float* x, float* y, int n) {
    __shared__ float s[16 * 17];
    //! rows without padding | out of bounds | __shared__ float s[16 * 16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int c = blockIdx.x * 16 + tx, r = blockIdx.y * 16 + ty;
    if (r < n && c < n) s[ty * 17 + tx] = x[r * n + c];
    //! barrier under the guard | divergent barrier | if (r < n && c < n) { s[ty * 17 + tx] = x[r * n + c]; __syncthreads(); }
    //! wrong row length | race/uninitialised | if (r < n && c < n) s[ty * 15 + tx] = x[r * n + c];
    __syncthreads();
    //! no barrier | race |
    c = blockIdx.y * 16 + tx;
    r = blockIdx.x * 16 + ty;
    if (r < n && c < n) y[r * n + c] = s[tx * 17 + ty];
}
