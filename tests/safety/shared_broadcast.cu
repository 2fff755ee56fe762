// One thread loads a factor for its block.
//: sizes   n 1..2**28
//: grid    cdiv(n, 256)
//: block   256
//: in x[n], f[cdiv(n, 256)]
//: out y[n]
__global__ void shared_broadcast(const float* x, const float* f, float* y, int n) {
    __shared__ float factor;
    if (threadIdx.x == 0) factor = f[blockIdx.x];
    //! every thread loads it | race | factor = f[blockIdx.x];
    //! nobody loads it | uninitialised | if (threadIdx.x == 256) factor = f[blockIdx.x];
    //! next block's | out of bounds | if (threadIdx.x == 0) factor = f[blockIdx.x + 1];
    __syncthreads();
    //! no barrier | race |
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * factor;
}
