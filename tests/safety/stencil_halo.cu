// The same through shared memory with a halo of one cell on each side.
//: sizes   n 1..2**30
//: grid    cdiv(n, 256)
//: block   256
//! smaller block | uninitialised | //: block   128
//: in x[n]
//: out y[n]
__global__ void stencil_halo(const float* x, float* y, int n) {
    __shared__ float s[256 + 2];
    //! no room for the halo | out of bounds | __shared__ float s[256 + 1];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t + 1] = i < n ? x[i] : 0.0f;
    //! only the cells that are there | uninitialised | if (i < n) s[t + 1] = x[i];
    if (t == 0) s[0] = i > 0 ? x[i - 1] : 0.0f;
    //! no left halo | uninitialised |
    //! all threads load the halo | race | s[0] = i > 0 && i <= n ? x[i - 1] : 0.0f;
    if (t == 255) s[257] = i + 1 < n ? x[i + 1] : 0.0f;
    //! halo without guard | out of bounds | if (t == 255) s[257] = x[i + 1];
    __syncthreads();
    //! no barrier | race |
    if (i < n) y[i] = s[t] + s[t + 1] + s[t + 2];
}
