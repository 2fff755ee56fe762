// C = A B, an output cell a thread.
//: sizes   M 1..2**12, N 1..2**12, K 1..2**12
//: grid    cdiv(N, 16), cdiv(M, 16)
//: block   16, 16
//: in A[M, K], B[K, N]
//! second matrix of one row | out of bounds | //: in A[M, K], B[N]
//: out C[M, N]
__global__ void matmul_naive(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
    //! no guard of rows | out of bounds | if (col < N) {
    //! no guard of columns | out of bounds/race | if (row < M) {
    //! off by one | out of bounds/race | if (row < M && col <= N) {
        float s = 0.0f;
        for (int k = 0; k < K; k++) s += A[row * K + k] * B[k * N + col];
        //! one more product | out of bounds | for (int k = 0; k <= K; k++) s += A[row * K + k] * B[k * N + col];
        //! index of B turned | out of bounds | for (int k = 0; k < K; k++) s += A[row * K + k] * B[col * N + k];
        //! stride of A | out of bounds | for (int k = 0; k < K; k++) s += A[row * N + k] * B[k * N + col];
        C[row * N + col] = s;
        //! index of C turned | out of bounds/race | C[col * N + row] = s;
    }
}
