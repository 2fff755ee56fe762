// C = A B^T.
//: sizes   M 1..2**12, N 1..2**12, K 1..2**12
//: grid    cdiv(N, 32), cdiv(M, 4)
//: block   32, 4
//: in A[M, K], B[N, K]
//: out C[M, N]
__global__ void matmul_transposed(const float* A, const float* B, float* C, int M, int N, int K) {
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 4 + threadIdx.y;
    if (i >= M || j >= N) return;
    float s = 0.0f;
    for (int k = 0; k < K; ++k) s = fmaf(A[i * K + k], B[j * K + k], s);
    //! not transposed | out of bounds | for (int k = 0; k < K; ++k) s = fmaf(A[i * K + k], B[k * N + j + 1], s);
    //! stride of N | out of bounds | for (int k = 0; k < K; ++k) s = fmaf(A[i * K + k], B[j * N + k], s);
    C[i * N + j] = s;
}
