// The same with the taps in shared memory, at most 64.
//: sizes   n 1..2**28, K 1..64
//! more taps | out of bounds | //: sizes   n 1..2**28, K 1..65
//: where   n >= K
//: grid    cdiv(n - K + 1, 128)
//: block   128
//: in x[n], k[K]
//: out y[n - K + 1]
__global__ void conv1d_shared(const float* x, const float* k, float* y, int n, int K) {
    __shared__ float w[64];
    if (threadIdx.x < K) w[threadIdx.x] = k[threadIdx.x];
    //! one more | out of bounds | if (threadIdx.x <= K) w[threadIdx.x] = k[threadIdx.x];
    //! one less | uninitialised | if (threadIdx.x < K - 1) w[threadIdx.x] = k[threadIdx.x];
    //! no guard | out of bounds | w[threadIdx.x] = k[threadIdx.x];
    __syncthreads();
    //! no barrier | race |
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - K + 1) {
        float s = 0.0f;
        for (int j = 0; j < K; j++) s += x[i + j] * w[j];
        y[i] = s;
    }
}
