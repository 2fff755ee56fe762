// One partial sum a block, of 512 elements by 256 threads.
//: sizes   n 1..2**30
//: grid    cdiv(n, 512)
//: block   256
//: in x[n]
//: out y[cdiv(n, 512)]
__global__ void block_partial(const float* x, float* y, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    float v = i < n ? x[i] : 0.0f;
    if (i + 256 < n) v += x[i + 256];
    //! second half without guard | out of bounds | if (i < n) v += x[i + 256];
    s[t] = v;
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k) s[t] = s[t] + s[t + k];
        __syncthreads();
        //! no barrier | race |
    }
    if (t < 1) y[blockIdx.x] = s[0];
    //! two threads | race | if (t < 2) y[blockIdx.x] = s[0];
}
