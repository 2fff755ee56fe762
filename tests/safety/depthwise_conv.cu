// A filter of K taps for each channel; (C, n).
//: sizes   C 1..1024, n 1..2**14, K 1..32
//: where   n >= K
//: grid    cdiv(n - K + 1, 128), C
//: block   128
//: in x[C, n], k[C, K]
//: out y[C, n - K + 1]
__global__ void depthwise_conv(const float* x, const float* k, float* y, int n, int K) {
    int i = blockIdx.x * 128 + threadIdx.x, c = blockIdx.y;
    int m = n - K + 1;
    if (i >= m) return;
    float s = 0.0f;
    for (int j = 0; j < K; j++) s += x[c * n + i + j] * k[c * K + j];
    //! filter of the tap | out of bounds | for (int j = 0; j < K; j++) s += x[c * n + i + j] * k[j * K + c];
    y[c * m + i] = s;
    //! row of the input | out of bounds/unwritten | y[c * n + i] = s;
}
