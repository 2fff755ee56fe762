// Mean over the middle dimension of (B, D, N).
//: sizes   B 1..2**10, D 1..2**10, N 1..2**10
//: grid    cdiv(B * N, 256)
//: block   256
//: in x[B, D, N]
//: out y[B, N]
__global__ void mean_middle(const float* x, float* y, int B, int D, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= B * N) return;
    int b = i / N, k = i % N;
    //! quotient and remainder exchanged | out of bounds | int b = i % N, k = i / N;
    float s = 0.0f;
    for (int d = 0; d < D; d++) s += x[b * D * N + d * N + k];
    //! stride of D | out of bounds | for (int d = 0; d < D; d++) s += x[b * D * N + d * D + k];
    y[i] = s / D;
    //! a row of D | out of bounds/race | y[b * D + k] = s / D;
}
