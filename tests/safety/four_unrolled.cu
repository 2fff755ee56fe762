// Four elements a thread, a block apart, unrolled.
//: sizes   n 1..2**30
//: grid    cdiv(n, 1024)
//: block   256
//: in x[n]
//: out y[n]
__global__ void four_unrolled(const float* x, float* y, int n) {
    int base = blockIdx.x * 1024 + threadIdx.x;
    #pragma unroll
    for (int k = 0; k < 4; k++) {
    //! three of four | unwritten | for (int k = 0; k < 3; k++) {
    //! one more | race | for (int k = 0; k < 5; k++) {
        int i = base + k * 256;
        //! wrong stride | race | int i = base + k * 128;
        if (i < n) y[i] = sqrtf(x[i]);
        //! guard of the base | out of bounds | if (base < n) y[i] = sqrtf(x[i]);
    }
}
