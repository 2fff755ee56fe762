// Each block reverses its 64 elements in shared memory.
//: sizes   n 1..2**28
//: where   n % 64 == 0
//! any n | unwritten | //: where   n >= 1
//: grid    n // 64
//! grid rounded up | out of bounds | //: grid    cdiv(n + 1, 64)
//: block   64
//: in x[n]
//: out y[n]
__global__ void shared_reverse(const float* x, float* y) {
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    //! two threads a cell | race | s[t / 2] = x[i];
    __syncthreads();
    //! no barrier | race |
    y[i] = s[63 - t];
    //! one too far | out of bounds | y[i] = s[64 - t];
}
