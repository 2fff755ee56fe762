// Two results of one input.
//: sizes   n 1..2**30
//: grid    cdiv(n, 256)
//: block   256
//: in x[n]
//: out y[n], z[n]
//! second output shorter | out of bounds | //: out y[n], z[max(n - 1, 1)]
__global__ void two_outputs(const float* x, float* y, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    y[i] = v > 0.0f ? v : 0.0f;
    z[i] = v > 0.0f ? 1.0f : 0.0f;
    //! only where positive | unwritten | if (v > 0.0f) z[i] = 1.0f;
    //! reads a fresh output | uninitialised | z[i] = y[i] + z[i];
}
