// A tree down to 32, then steps written out, each with its barrier.
//: sizes   n 1..2**28
//: grid    cdiv(n, 64)
//: block   64
//: in x[n]
//: out y[cdiv(n, 64)]
__global__ void last_warp_unrolled(const float* x, float* y, int n) {
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    if (t < 32) s[t] += s[t + 32];
    __syncthreads();
    //! no barrier after 32 | race |
    if (t < 16) s[t] += s[t + 16];
    //! too many for 16 | race | if (t < 32) s[t] += s[t + 16];
    __syncthreads();
    if (t < 8) s[t] += s[t + 8];
    __syncthreads();
    //! no barrier after 8 | race |
    if (t < 4) s[t] += s[t + 4];
    __syncthreads();
    if (t < 2) s[t] += s[t + 2];
    __syncthreads();
    if (t < 1) s[t] += s[t + 1];
    __syncthreads();
    if (t == 0) y[blockIdx.x] = s[0];
}
