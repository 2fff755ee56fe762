// From the end to the start.
//: sizes   n 1..2**30
//: grid    cdiv(n, 256)
//: block   256
//: in x[n]
//: out y[n]
__global__ void reversed(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[n - 1 - i] = x[i];
    //! one too far | out of bounds | if (i < n) y[n - i] = x[i];
    //! only half | unwritten | if (i < n / 2) y[n - 1 - i] = x[i];
    //! folded | race | if (i < n) y[i < n / 2 ? i : n - 1 - i] = x[i];
}
