// A batch in grid z.
//: sizes   P 1..1024, M 1..512, N 1..512, K 1..512
//: grid    cdiv(N, 16), cdiv(M, 16), P
//! no batch | unwritten | //: grid    cdiv(N, 16), cdiv(M, 16)
//: block   16, 16
//: in A[P, M, K], B[P, K, N]
//! one matrix for all | out of bounds | //: in A[P, M, K], B[K, N]
//: out C[P, M, N]
__global__ void matmul_batched(const float* A, const float* B, float* C, int M, int N, int K) {
    int p = blockIdx.z, i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= M || j >= N) return;
    const float* a = A + p * M * K;
    const float* b = B + p * K * N;
    //! step of the other matrix | out of bounds | const float* b = B + p * M * K;
    float s = 0.0f;
    for (int k = 0; k < K; k++) s += a[i * K + k] * b[k * N + j];
    C[(p * M + i) * N + j] = s;
    //! the same matrix each time | race | C[i * N + j] = s;
}
