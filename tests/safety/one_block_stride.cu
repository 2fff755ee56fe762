// One block walks over everything.
//: sizes   n 1..2**30
//: grid    1
//! several blocks | race | //: grid    2
//: block   512
//: in x[n]
//: out y[n]
__global__ void one_block_stride(const float* x, float* y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
    //! stride of a warp | race | for (int i = threadIdx.x; i < n; i += 32)
        y[i] = fabsf(x[i]);
}
