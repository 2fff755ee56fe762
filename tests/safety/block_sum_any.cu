// The same with a block of any power of two and extern shared memory.
//: sizes   R 1..2**14, C 1..2**14, B 32..1024
//: where   pow2(B)
//: grid    R
//: block   B
//: shared  4 * B
//! half the bytes | out of bounds | //: shared  2 * B
//! elements for bytes | out of bounds | //: shared  B
//: in x[R, C]
//: out y[R]
__global__ void block_sum_any(const float* x, float* y, int C) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float v = 0.0f;
    for (int j = t; j < C; j += blockDim.x) v += x[blockIdx.x * C + j];
    s[t] = v;
    //! one cell further | out of bounds | s[t + 1] = v;
    __syncthreads();
    //! no first barrier | race |
    for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    //! begins at the block | out of bounds | for (unsigned k = blockDim.x; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
        //! no second barrier | race |
    }
    if (t == 0) y[blockIdx.x] = s[0];
    //! one row further | out of bounds | if (t == 0) y[blockIdx.x + 1] = s[0];
}
