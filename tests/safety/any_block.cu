// The block's size is the caller's.
//: sizes   n 1..2**30, B 1..1024
//: grid    cdiv(n, B)
//: block   B
//: in x[n], z[n]
//: out y[n]
__global__ void any_block(const float* x, const float* z, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //! fixed block | unwritten | int i = blockIdx.x * 256 + threadIdx.x;
    //! block of another axis | race | int i = blockIdx.x * blockDim.y + threadIdx.x;
    if (i < n)
    //! off by one | out of bounds | if (i <= n)
        y[i] = x[i] + z[i];
}
