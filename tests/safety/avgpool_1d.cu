// Windows of K with stride S.
//: sizes   n 1..2**20, K 1..64, S 1..64
//: where   n >= K
//: grid    cdiv((n - K) // S + 1, 256)
//: block   256
//: in x[n]
//: out y[(n - K) // S + 1]
__global__ void avgpool_1d(const float* x, float* y, int n, int K, int S) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int m = (n - K) / S + 1;
    //! rounded up | out of bounds | int m = (n - K + S - 1) / S + 1;
    //! without the last window | unwritten | int m = (n - K) / S;
    if (i < m) {
        float s = 0.0f;
        for (int j = 0; j < K; j++) s += x[i * S + j];
        //! stride of the window | out of bounds | for (int j = 0; j < K; j++) s += x[i * K + j];
        y[i] = s / K;
    }
}
