// A thread for each cell of a matrix.
//: sizes   R 1..2**14, C 1..2**14
//: grid    cdiv(C, 16), cdiv(R, 16)
//! grid the wrong way round | unwritten | //: grid    cdiv(R, 16), cdiv(C, 16)
//: block   16, 16
//: in a[R, C], b[R, C]
//: out y[R, C]
__global__ void add_2d(const float* a, const float* b, float* y, int R, int C) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    //! the same axis twice | race | int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < R && c < C) {
    //! no guard of rows | out of bounds | if (c < C) {
    //! no guard of columns | race | if (r < R && r * C + c < R * C) {
    //! either guard | out of bounds | if (r < R || c < C) {
        y[r * C + c] = a[r * C + c] + b[r * C + c];
        //! index turned | out of bounds | y[c * C + r] = a[r * C + c] + b[r * C + c];
    }
}
