// Tiles of 16 x 16 in shared memory, any sizes.
//: sizes   M 1..2**12, N 1..2**12, K 1..2**12
//: grid    cdiv(N, 16), cdiv(M, 16)
//: block   16, 16
//! wider block | out of bounds | //: block   16, 17
//: in A[M, K], B[K, N]
//: out C[M, N]
#define TILE 16
__global__ void matmul_tiled(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[TILE][TILE];
    //! tile too small | out of bounds | __shared__ float As[TILE - 1][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float s = 0.0f;
    for (int t = 0; t < (K + TILE - 1) / TILE; t++) {
        int ka = t * TILE + tx, kb = t * TILE + ty;
        As[ty][tx] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        //! no guard of rows of A | out of bounds | As[ty][tx] = ka < K ? A[row * K + ka] : 0.0f;
        //! no guard of columns of A | out of bounds | As[ty][tx] = row < M ? A[row * K + ka] : 0.0f;
        //! no zeros | uninitialised | if (row < M && ka < K) As[ty][tx] = A[row * K + ka];
        Bs[ty][tx] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;
        //! no guard of rows of B | out of bounds | Bs[ty][tx] = col < N ? B[kb * N + col] : 0.0f;
        //! stored into one row | race | Bs[0][tx] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        //! no barrier after loading | race |
        for (int k = 0; k < TILE; k++) s += As[ty][k] * Bs[k][tx];
        //! one more product | out of bounds/uninitialised/race | for (int k = 0; k <= TILE; k++) s += As[ty][k] * Bs[k][tx];
        __syncthreads();
        //! no barrier after use | race |
    }
    if (row < M && col < N) C[row * N + col] = s;
    //! no guard of rows | out of bounds | if (col < N) C[row * N + col] = s;
    //! no guard of columns | out of bounds/race | if (row < M) C[row * N + col] = s;
}
