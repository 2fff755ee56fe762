// Layer norm, a row a thread, with weight and bias.
//: sizes   R 1..2**14, C 1..2**14
//: grid    cdiv(R, 128)
//: block   128
//: in x[R, C], g[C], b[C]
//! bias for a row | out of bounds | //: in x[R, C], g[C], b[R]
//: out y[R, C]
__global__ void row_layernorm(const float* x, const float* g, const float* b, float* y, int R, int C) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < R) {
        float mean = 0.0f, var = 0.0f;
        for (int j = 0; j < C; j++) mean += x[r * C + j];
        mean /= C;
        for (int j = 0; j < C; j++) { float d = x[r * C + j] - mean; var += d * d; }
        float inv = rsqrtf(var / C + 1e-5f);
        for (int j = 0; j < C; j++) y[r * C + j] = (x[r * C + j] - mean) * inv * g[j] + b[j];
        //! last column left | unwritten | for (int j = 0; j < C - 1; j++) y[r * C + j] = (x[r * C + j] - mean) * inv * g[j] + b[j];
        //! weight of the row | out of bounds | for (int j = 0; j < C; j++) y[r * C + j] = (x[r * C + j] - mean) * inv * g[r] + b[j];
    }
}
