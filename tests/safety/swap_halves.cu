// Exchanges the halves of a tensor in place; each thread owns two cells.
//: sizes   n 1..2**28
//: grid    cdiv(n, 128)
//: block   128
//: inout x[2 * n]
//! odd | out of bounds | //: inout x[2 * n - 1]
__global__ void swap_halves(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
    //! all cells | out of bounds | if (i < 2 * n) {
        float a = x[i], b = x[i + n];
        x[i] = b;
        x[i + n] = a;
        //! the next cell | race/out of bounds | x[i + n + 1] = a;
    }
}
