// Valid convolution in one dimension.
//: sizes   n 1..2**28, K 1..2**10
//: where   n >= K
//: grid    cdiv(n - K + 1, 256)
//: block   256
//: in x[n], k[K]
//: out y[n - K + 1]
__global__ void conv1d(const float* x, const float* k, float* y, int n, int K) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int m = n - K + 1;
    //! length of the input | out of bounds | int m = n;
    //! one too few | unwritten | int m = n - K;
    if (i < m) {
        float s = 0.0f;
        for (int j = 0; j < K; j++) s += x[i + j] * k[j];
        //! one more tap | out of bounds | for (int j = 0; j <= K; j++) s += x[i + j] * k[j];
        //! index of the input | out of bounds | for (int j = 0; j < K; j++) s += x[i + j] * k[i + j];
        //! turned the wrong way | out of bounds | for (int j = 0; j < K; j++) s += x[i - j] * k[j];
        y[i] = s;
    }
}
