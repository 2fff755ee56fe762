// The tensor itself is changed.
//: sizes   n 1..2**30
//: grid    cdiv(n, 256)
//: block   256
//: inout x[n]
//! not initialised | uninitialised | //: out x[n]
__global__ void in_place(float* x, float s, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * s;
    //! reads its neighbour | race | if (i + 1 < n) x[i] = x[i + 1] * s;
    //! off by one | out of bounds | if (i <= n) x[i] = x[i] * s;
}
