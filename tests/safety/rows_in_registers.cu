// Mean and deviation of four channels, kept in local arrays.
//: sizes   n 1..2**26
//: grid    cdiv(n, 128)
//: block   128
//: in x[n, 4]
//! three channels | out of bounds | //: in x[n, 3]
//: out y[n, 4]
__global__ void rows_in_registers(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v[4];
    float s = 0.0f;
    for (int k = 0; k < 4; k++) {
    //! first one skipped | uninitialised | for (int k = 1; k < 4; k++) {
        v[k] = x[4 * i + k];
        //! next channel | uninitialised/out of bounds | v[k + 1] = x[4 * i + k];
        s += v[k];
    }
    for (int k = 0; k < 4; k++) y[4 * i + k] = v[k] - s * 0.25f;
    //! stride of three | race | for (int k = 0; k < 4; k++) y[3 * i + k] = v[k] - s * 0.25f;
}
