// A block of 256 sums a row: strided partial sums, a tree in shared memory.
//: sizes   R 1..2**14, C 1..2**14
//: grid    R
//: block   256
//! block of 128 | uninitialised | //: block   128
//: in x[R, C]
//: out y[R]
__global__ void block_sum(const float* x, float* y, int C) {
    __shared__ float s[256];
    //! shared array too small | out of bounds | __shared__ float s[128];
    int t = threadIdx.x, r = blockIdx.x;
    float v = 0.0f;
    for (int j = t; j < C; j += 256) v += x[r * C + j];
    //! one more column | out of bounds | for (int j = t; j <= C; j += 256) v += x[r * C + j];
    s[t] = v;
    //! only threads with a column | uninitialised | if (t < C) s[t] = v;
    __syncthreads();
    //! no first barrier | race |
    for (int k = 128; k > 0; k >>= 1) {
    //! begins too wide | out of bounds | for (int k = 256; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        //! all threads | out of bounds | s[t] += s[t + k];
        //! one thread more | race | if (t <= k) s[t] += s[(t + k) % 256];
        //! barrier inside the branch | divergent barrier | if (t < k) { s[t] += s[t + k]; __syncthreads(); }
        __syncthreads();
        //! no second barrier | race |
    }
    if (t == 0) y[r] = s[0];
    //! all threads write | race | y[r] = s[0];
    //! the last writes | uninitialised | if (t == 0) y[r] = s[0] + y[r];
}
