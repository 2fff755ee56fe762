// A grid of at most 1024 blocks, the stride in a variable, 64-bit indices.
//: sizes   n 1..2**30
//: grid    min(cdiv(n, 128), 1024)
//: block   128
//: in x[n]
//: out y[n]
__global__ void grid_stride_capped(const float* x, float* y, long long n) {
    const long long stride = (long long)gridDim.x * blockDim.x;
    //! stride of the grid only | race | const long long stride = gridDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = x[i] + 1.0f;
        //! shifted read | out of bounds | y[i] = x[i + 1] + 1.0f;
    }
}
