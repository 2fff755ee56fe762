// The product by four stays within 32 bits.
//: sizes   n 1..2**30
//! larger | out of bounds | //: sizes   n 1..2**31 - 4; most 2**31
//: where   n % 4 == 0
//: grid    cdiv(n, 768)
//: block   192
//: in x[n]
//: out y[n]
__global__ void float4_index_large(const float* x, float* y, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i < n) *reinterpret_cast<float4*>(y + i) = *reinterpret_cast<const float4*>(x + i);
}
