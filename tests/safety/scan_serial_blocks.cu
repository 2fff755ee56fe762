// One thread adds what the others loaded.
//: sizes   n 1..2**28
//: grid    cdiv(n, 32)
//: block   32
//: in x[n]
//: out y[cdiv(n, 32)]
__global__ void scan_serial_blocks(const float* x, float* y, int n) {
    __shared__ float s[32];
    int i = blockIdx.x * 32 + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 0.0f;
    //! only what is there | uninitialised | if (i < n) s[threadIdx.x] = x[i];
    __syncthreads();
    //! no barrier | race |
    if (threadIdx.x == 0) {
    //! every thread adds | race | {
        float a = 0.0f;
        for (int j = 0; j < 32; j++) a += s[j];
        //! one more | out of bounds | for (int j = 0; j <= 32; j++) a += s[j];
        y[blockIdx.x] = a;
    }
}
