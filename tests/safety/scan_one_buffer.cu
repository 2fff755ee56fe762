// Inclusive prefix sums of each block's 128 elements (Hillis and Steele), two barriers a step.
//: sizes   n 1..2**28
//: grid    cdiv(n, 128)
//: block   128
//: in x[n]
//: out y[n]
__global__ void scan_one_buffer(const float* x, float* y, int n) {
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    //! no first barrier | race |
    for (int d = 1; d < 128; d *= 2) {
        float v = 0.0f;
        if (t >= d) v = s[t - d];
        //! no lower bound | out of bounds | v = s[t - d];
        __syncthreads();
        //! no barrier after the reads | race |
        s[t] += v;
        __syncthreads();
        //! no barrier after the writes | race |
    }
    if (i < n) y[i] = s[t];
    //! no guard | out of bounds | y[i] = s[t];
}
