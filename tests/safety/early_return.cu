// A thread beyond the end returns; the index is computed in one go.
//: sizes   n 1..2**30
//: grid    (n + 127) // 128
//: block   128
//: in x[n]
//: out y[n]
__global__ void early_return(const float* __restrict__ x, float* __restrict__ y, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    //! off by one | out of bounds | if (i > n) return;
    //! guard of another size | out of bounds | if (i >= n + 1) return;
    //! returns too early | unwritten | if (i >= n / 2) return;
    float v = x[i];
    y[i] = v > 0.0f ? v : 0.0f;
}
