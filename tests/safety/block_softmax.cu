// Softmax, a block a row: two trees in one shared array.
//: sizes   R 1..2**14, C 1..2**14
//: grid    R
//: block   128
//: in x[R, C]
//: out y[R, C]
__global__ void block_softmax(const float* x, float* y, int C) {
    __shared__ float s[128];
    int t = threadIdx.x;
    const float* in = x + blockIdx.x * C;
    float* out = y + blockIdx.x * C;
    //! output of the first row | race | float* out = y;
    float m = -3.0e38f;
    for (int j = t; j < C; j += 128) m = fmaxf(m, in[j]);
    s[t] = m;
    __syncthreads();
    for (int k = 64; k > 0; k >>= 1) {
        if (t < k) s[t] = fmaxf(s[t], s[t + k]);
        __syncthreads();
        //! no barrier in the first tree | race |
    }
    m = s[0];
    __syncthreads();
    //! shared array used again too early | race |
    float z = 0.0f;
    for (int j = t; j < C; j += 128) { float e = expf(in[j] - m); out[j] = e; z += e; }
    s[t] = z;
    __syncthreads();
    //! no barrier before the second tree | race |
    for (int k = 64; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    for (int j = t; j < C; j += 128) out[j] = out[j] / s[0];
    //! a shifted pass | uninitialised/race/out of bounds | for (int j = t; j < C; j += 128) out[j] = out[j + 1] / s[0];
    //! a pass too long | out of bounds/race/uninitialised | for (int j = t; j <= C; j += 128) out[j] = out[j] / s[0];
}
