// 64-bit indices: more than 2**31 elements.
//: sizes   n 1..2**36; most 2**36
//: grid    cdiv(n, 256)
//: block   256
//: in x[n]
//: out y[n]
__global__ void size_t_index(const float* x, float* y, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    //! product in 32 bits | race | size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
    //! off by one | out of bounds | if (i <= n) y[i] = x[i];
}
