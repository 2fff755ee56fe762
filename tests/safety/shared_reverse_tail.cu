// The same for any n, with the block's part of the end; a barrier that every thread reaches.
//: sizes   n 1..2**28
//: grid    cdiv(n, 128)
//: block   128
//: shared  512
//! fewer bytes | out of bounds | //: shared  508
//: in x[n]
//: out y[n]
__global__ void shared_reverse_tail(const float* x, float* y, int n) {
    extern __shared__ float s[];
    int base = blockIdx.x * blockDim.x, t = threadIdx.x;
    int m = min(n - base, 128);
    if (t < m) s[m - 1 - t] = x[base + t];
    //! one too many | out of bounds/race | if (t <= m) s[m - t] = x[base + t];
    //! barrier under the guard | divergent barrier | if (t < m) { s[m - 1 - t] = x[base + t]; __syncthreads(); }
    __syncthreads();
    //! no barrier | race |
    if (t < m) y[base + t] = s[t];
    //! guard of the whole block | uninitialised | if (t < 128) y[base + t] = s[t];
}
