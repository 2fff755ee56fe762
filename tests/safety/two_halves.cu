// Each block of 256 threads does 512 elements, in two halves.
//: sizes   n 1..2**30
//: grid    cdiv(n, 512)
//: block   256
//: in x[n]
//: out y[n]
__global__ void two_halves(const float* x, float* y, int n) {
    int i = blockIdx.x * 512 + threadIdx.x;
    //! blocks overlap | race | int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = x[i];
    if (i + 256 < n) y[i + 256] = x[i + 256];
    //! guard of the first half | out of bounds | if (i < n) y[i + 256] = x[i + 256];
    //! halves overlap | race | if (i + 255 < n) y[i + 255] = x[i + 255];
}
