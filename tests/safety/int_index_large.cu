// 32-bit indices, up to what they hold: with blocks of 192, the last one's end is beyond 2**31.
//: sizes   n 1..2**31 - 193; most 2**31
//! every int | out of bounds | //: sizes   n 1..2**31 - 1; most 2**31
//: grid    cdiv(n, 192)
//: block   192
//: in x[n]
//: out y[n]
__global__ void int_index_large(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
