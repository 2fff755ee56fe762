// A vector on the diagonal of a zeroed matrix.
//: sizes   n 1..2**14
//: grid    cdiv(n, 128)
//: block   128
//: in x[n]
//: zeros y[n, n]
__global__ void diagonal(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i * n + i] = x[i];
    //! one below | out of bounds | if (i < n) y[(i + 1) * n + i] = x[i];
    //! wrong width | out of bounds | if (i < n) y[i * (n + 2) + i] = x[i];
}
