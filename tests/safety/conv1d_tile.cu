// The input's part and a halo of two cells in shared memory, five taps.
//: sizes   n 1..2**28
//: grid    cdiv(n, 128)
//: block   128
//: in x[n], k[5]
//! three taps | out of bounds | //: in x[n], k[3]
//: out y[n]
__global__ void conv1d_tile(const float* x, const float* k, float* y, int n) {
    __shared__ float s[132];
    //! smaller tile | out of bounds | __shared__ float s[130];
    int base = blockIdx.x * 128 - 2;
    for (int j = threadIdx.x; j < 132; j += 128) {
    //! only one round | uninitialised | for (int j = threadIdx.x; j < 128; j += 128) {
        int g = base + j;
        s[j] = g >= 0 && g < n ? x[g] : 0.0f;
        //! no lower bound | out of bounds | s[j] = g < n ? x[g] : 0.0f;
        //! no upper bound | out of bounds | s[j] = g >= 0 ? x[g] : 0.0f;
    }
    __syncthreads();
    //! no barrier | race |
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        float a = 0.0f;
        for (int j = 0; j < 5; j++) a += s[threadIdx.x + j] * k[j];
        y[i] = a;
    }
}
