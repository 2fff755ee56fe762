// C = A B, one thread for each element of C: the specification of tiled_matmul.cu.
// Look at the loop: the order of its K sums is the order that the tiled kernel must keep.
extern "C" __global__ void naive(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
