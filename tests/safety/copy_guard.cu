// An element a thread.
//: sizes   n 1..2**30
//: grid    cdiv(n, 256)
//! grid rounded down | unwritten | //: grid    max(n // 256, 1)
//: block   256
//! half a block | unwritten | //: block   128
//: in x[n]
//! input one short | out of bounds | //: in x[max(n - 1, 1)]
//: out y[n]
__global__ void copy_guard(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //! wrong stride | unwritten | int i = blockIdx.x * (blockDim.x + 1) + threadIdx.x;
    //! blocks overlap | race | int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
    if (i < n) {
    //! off by one | out of bounds | if (i <= n) {
    //! no guard | out of bounds | {
    //! last element left | unwritten | if (i < n - 1) {
    //! first element left | unwritten | if (i > 0 && i < n) {
        y[i] = x[i];
        //! two threads a cell | race | y[i / 2] = x[i];
        //! neighbour's cell | out of bounds | y[i + 1] = x[i];
    }
}
