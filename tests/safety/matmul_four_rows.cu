// Each thread computes four cells of a column, in a local array.
//: sizes   M 1..2**12, N 1..2**12, K 1..2**12
//: grid    cdiv(N, 64), cdiv(M, 4)
//: block   64
//: in A[M, K], B[K, N]
//: out C[M, N]
__global__ void matmul_four_rows(const float* A, const float* B, float* C, int M, int N, int K) {
    int col = blockIdx.x * 64 + threadIdx.x, row = blockIdx.y * 4;
    if (col >= N) return;
    float acc[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    //! three accumulators | out of bounds | float acc[3] = {0.0f, 0.0f, 0.0f};
    //! not cleared | uninitialised | float acc[4];
    for (int k = 0; k < K; k++) {
        float b = B[k * N + col];
        for (int i = 0; i < 4; i++)
            if (row + i < M) acc[i] += A[(row + i) * K + k] * b;
            //! no guard | out of bounds | acc[i] += A[(row + i) * K + k] * b;
    }
    for (int i = 0; i < 4; i++)
        if (row + i < M) C[(row + i) * N + col] = acc[i];
        //! no guard of the output | out of bounds | C[(row + i) * N + col] = acc[i];
        //! one row after the other left | unwritten/race | if (row + i < M) C[(row + i / 2) * N + col] = acc[i];
}
