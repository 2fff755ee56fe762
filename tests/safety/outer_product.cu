// y[i, j] = a[i] b[j], as rank-one update of a given matrix.
//: sizes   M 1..2**14, N 1..2**14
//: grid    cdiv(M * N, 256)
//: block   256
//: in a[M], b[N]
//: inout y[M, N]
__global__ void outer_product(const float* a, const float* b, float* y, int M, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * N) y[i] += a[i / N] * b[i % N];
    //! exchanged | out of bounds | if (i < M * N) y[i] += a[i % N] * b[i / N];
    //! sum for product | out of bounds/unwritten | if (i < M + N) y[i] += a[i / N] * b[i % N];
    //! into the row | race | if (i < M * N) y[i / N] += a[i / N] * b[i % N];
}
