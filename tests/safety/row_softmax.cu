// Softmax, a row a thread, in three passes through the output.
//: sizes   R 1..2**14, C 1..2**14
//: grid    cdiv(R, 128)
//: block   128
//: in x[R, C]
//: out y[R, C]
__global__ void row_softmax(const float* x, float* y, int R, int C) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= R) return;
    //! off by one | out of bounds | if (r > R) return;
    const float* in = x + r * C;
    float* out = y + r * C;
    //! rows overlap | race | float* out = y + r;
    float m = in[0];
    for (int j = 1; j < C; j++) m = fmaxf(m, in[j]);
    float s = 0.0f;
    for (int j = 0; j < C; j++) {
    //! begins late | uninitialised | for (int j = 1; j < C; j++) {
        float e = expf(in[j] - m);
        out[j] = e;
        s += e;
    }
    for (int j = 0; j < C; j++) out[j] = out[j] / s;
    //! ends late | out of bounds/race/uninitialised | for (int j = 0; j <= C; j++) out[j] = out[j] / s;
}
