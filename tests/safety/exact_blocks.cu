// No guard: the caller promises whole blocks.
//: sizes   n 1..2**30
//: where   n % 256 == 0
//! promise dropped | out of bounds | //: where   n >= 1
//! weaker promise | out of bounds | //: where   n % 128 == 0
//: grid    cdiv(n, 256)
//: block   256
//: in x[n]
//: out y[n]
__global__ void exact_blocks(const float* x, float* y) {
    y[blockIdx.x * blockDim.x + threadIdx.x] = -x[blockIdx.x * blockDim.x + threadIdx.x];
}
