// p zeros on both sides.
//: sizes   n 1..2**28, p 0..1024
//: grid    cdiv(n + 2 * p, 256)
//: block   256
//: in x[n]
//: out y[n + 2 * p]
__global__ void pad_1d(const float* x, float* y, int n, int p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n + 2 * p) {
    //! one side only | unwritten | if (i < n + p) {
        int j = i - p;
        y[i] = (j >= 0 && j < n) ? x[j] : 0.0f;
        //! no lower bound | out of bounds | y[i] = j < n ? x[j] : 0.0f;
        //! no upper bound | out of bounds | y[i] = j >= 0 ? x[j] : 0.0f;
    }
}
