// A contiguous chunk for each thread.
//: sizes   n 1..2**28
//: grid    cdiv(cdiv(n, 8), 128)
//: block   128
//: in x[n]
//: out y[n]
__global__ void chunk_per_thread(const float* x, float* y, int n) {
    int begin = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    int end = min(begin + 8, n);
    //! end not limited | out of bounds | int end = begin + 8;
    //! chunks overlap | race | int end = min(begin + 9, n);
    for (int i = begin; i < end; i++)
    //! first one left out | unwritten | for (int i = begin + 1; i < end; i++)
        y[i] = x[i] + 1.0f;
}
