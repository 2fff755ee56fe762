// Every third element, x[::3].
//: sizes   n 1..2**28
//: grid    cdiv(cdiv(n, 3), 256)
//: block   256
//: in x[n]
//: out y[cdiv(n, 3)]
__global__ void strided_slice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (3 * i < n) y[i] = x[3 * i];
    //! guard of the last of three | unwritten | if (3 * i + 2 < n) y[i] = x[3 * i];
    //! wrong stride | out of bounds | if (3 * i < n) y[i] = x[4 * i];
    //! guard of the output with the rest | out of bounds | if (i <= n / 3) y[i] = x[3 * i];
}
