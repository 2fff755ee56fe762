// A barrier under a condition that is the same for the whole block.
//: sizes   n 1..2**24, mode 0..1
//: grid    cdiv(n, 64)
//: block   64
//: in x[n]
//: out y[n]
__global__ void divergent_uniform(const float* x, float* y, int n, int mode) {
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = i < n ? x[i] : 0.0f;
    float v = s[t];
    if (mode == 1) {
    //! condition of the thread | divergent barrier | if (mode == t) {
    //! condition of the element | divergent barrier | if (i < n) {
        __syncthreads();
        //! no barrier | race |
        v = s[63 - t];
    }
    if (i < n) y[i] = v;
}
