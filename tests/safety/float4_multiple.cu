// Four elements at once; the caller promises a multiple of four.
//: sizes   n 1..2**30
//: where   n % 4 == 0
//! no promise | out of bounds | //: where   n >= 1
//! promise of two | out of bounds | //: where   n % 2 == 0
//: grid    cdiv(n // 4, 256)
//: block   256
//: in a[n], b[n]
//: out y[n]
__global__ void float4_multiple(const float* a, const float* b, float* y, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    //! not a multiple | misaligned | int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4 + 1;
    //! step of two | misaligned | int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    if (i >= n) return;
    //! guard dropped | out of bounds |
    float4 p = *reinterpret_cast<const float4*>(a + i);
    float4 q = *reinterpret_cast<const float4*>(b + i);
    //! reads beside | misaligned | float4 q = *reinterpret_cast<const float4*>(b + i + 2);
    *reinterpret_cast<float4*>(y + i) = make_float4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w);
}
