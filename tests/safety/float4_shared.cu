// A tile copied to shared memory in quads, used by single elements.
//: sizes   n 1..2**24
//: where   n % 256 == 0
//! any n in fours | out of bounds/unwritten | //: where   n % 4 == 0
//: grid    n // 256
//: block   64
//: in x[n]
//: out y[n]
__global__ void float4_shared(const float* x, float* y) {
    __shared__ __align__(16) float s[256];
    //! smaller | out of bounds | __shared__ __align__(16) float s[252];
    int t = threadIdx.x, base = blockIdx.x * 256;
    reinterpret_cast<float4*>(s)[t] = reinterpret_cast<const float4*>(x + base)[t];
    __syncthreads();
    //! no barrier | race |
    for (int k = 0; k < 4; k++) y[base + k * 64 + t] = s[k * 64 + t] * 2.0f;
    //! one cell on | out of bounds | for (int k = 0; k < 4; k++) y[base + k * 64 + t] = s[k * 64 + t + 1] * 2.0f;
}
