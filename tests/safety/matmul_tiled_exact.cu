// The same without guards, for multiples of 16.
//: sizes   M 1..2**12, N 1..2**12, K 1..2**12
//: where   M % 16 == 0, N % 16 == 0, K % 16 == 0
//! any K | out of bounds | //: where   M % 16 == 0, N % 16 == 0
//! any M | unwritten/out of bounds | //: where   N % 16 == 0, K % 16 == 0
//: grid    N // 16, M // 16
//! grid one larger | out of bounds/race | //: grid    N // 16 + 1, M // 16
//: block   16, 16
//: in A[M, K], B[K, N]
//: out C[M, N]
__global__ void matmul_tiled_exact(const float* A, const float* B, float* C, int N, int K) {
    __shared__ float As[16][16], Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float s = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        As[ty][tx] = A[row * K + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();
        //! no barrier after loading | race |
        #pragma unroll
        for (int k = 0; k < 16; k++) s += As[ty][k] * Bs[k][tx];
        __syncthreads();
        //! no barrier after use | race |
    }
    C[row * N + col] = s;
}
