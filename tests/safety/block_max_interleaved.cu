// The largest of a row, by a tree whose strides grow.
//: sizes   R 1..2**14, C 1..2**14
//: grid    R
//: block   128
//: in x[R, C]
//: out y[R]
__global__ void block_max_interleaved(const float* x, float* y, int C) {
    __shared__ float s[128];
    int t = threadIdx.x;
    float v = -3.0e38f;
    for (int j = t; j < C; j += blockDim.x) v = fmaxf(v, x[blockIdx.x * C + j]);
    s[t] = v;
    __syncthreads();
    //! no first barrier | race |
    for (int k = 1; k < 128; k *= 2) {
    //! a step too many | out of bounds | for (int k = 1; k <= 128; k *= 2) {
        if (t % (2 * k) == 0) s[t] = fmaxf(s[t], s[t + k]);
        //! every k-th thread | race/out of bounds | if (t % k == 0) s[t] = fmaxf(s[t], s[t + k]);
        __syncthreads();
        //! no second barrier | race |
    }
    if (t == 0) y[blockIdx.x] = s[0];
}
