// Layer norm, a block a row: mean and variance through two shared arrays.
//: sizes   R 1..2**14, C 1..2**14
//: grid    R
//: block   64
//: in x[R, C], g[C], b[C]
//: out y[R, C]
__global__ void block_layernorm(const float* x, const float* g, const float* b, float* y, int C) {
    __shared__ float sum[64];
    __shared__ float sq[64];
    //! second array smaller | out of bounds | __shared__ float sq[32];
    int t = threadIdx.x, base = blockIdx.x * C;
    float a = 0.0f, q = 0.0f;
    for (int j = t; j < C; j += 64) { float v = x[base + j]; a += v; q += v * v; }
    sum[t] = a;
    sq[t] = q;
    //! second array never filled | uninitialised |
    __syncthreads();
    //! no first barrier | race |
    for (int k = 32; k > 0; k /= 2) {
        if (t < k) { sum[t] += sum[t + k]; sq[t] += sq[t + k]; }
        __syncthreads();
        //! no second barrier | race |
    }
    float mean = sum[0] / C, inv = rsqrtf(sq[0] / C - mean * mean + 1e-5f);
    for (int j = t; j < C; j += 64) y[base + j] = (x[base + j] - mean) * inv * g[j] + b[j];
    //! stride of the grid | unwritten/race | for (int j = t; j < C; j += 64 + (int)gridDim.x) y[base + j] = (x[base + j] - mean) * inv * g[j] + b[j];
    //! weight at the flat index | out of bounds | for (int j = t; j < C; j += 64) y[base + j] = (x[base + j] - mean) * inv * g[base + j] + b[j];
}
