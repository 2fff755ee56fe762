// The left neighbour, with unsigned indices.
//: sizes   n 1..2**30
//: grid    cdiv(n, 256)
//: block   256
//: in x[n]
//: out y[n]
__global__ void unsigned_index(const float* x, float* y, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
    //! unsigned difference | out of bounds | if (i - 1 < n || i == 0) {
        float left = i > 0 ? x[i - 1] : 0.0f;
        //! never negative | out of bounds | float left = i >= 0 ? x[i - 1] : 0.0f;
        y[i] = x[i] - left;
    }
}
