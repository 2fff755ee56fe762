// Pairs (re, im): the modulus squared of each.
//: sizes   n 1..2**28
//: grid    cdiv(n, 64)
//: block   64
//: in z[2 * n]
//! an odd number of floats | out of bounds | //: in z[2 * n - 1]
//: out y[n]
__global__ void float2_pairs(const float* z, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 v = reinterpret_cast<const float2*>(z)[i];
        //! not at a pair | misaligned | float2 v = *reinterpret_cast<const float2*>(z + i);
        y[i] = v.x * v.x + v.y * v.y;
    }
}
