// Prefix sums in one block with two halves of a shared array by turns.
//: sizes   n 1..64
//: grid    1
//: block   64
//: in x[n]
//: out y[n]
__global__ void scan_two_buffers(const float* x, float* y, int n) {
    __shared__ float s[128];
    //! one half only | out of bounds | __shared__ float s[64];
    int t = threadIdx.x, from = 0;
    s[t] = t < n ? x[t] : 0.0f;
    __syncthreads();
    for (int d = 1; d < 64; d = d + d) {
        int to = 64 - from;
        //! the same half | race | int to = from;
        s[to + t] = t >= d ? s[from + t] + s[from + t - d] : s[from + t];
        //! half not copied | uninitialised/race | if (t >= d) s[to + t] = s[from + t] + s[from + t - d];
        from = to;
        __syncthreads();
        //! no barrier | race |
    }
    if (t < n) y[t] = s[from + t];
}
