// Any number of blocks.
//: sizes   n 1..2**30, G 1..4096
//: grid    G
//: block   256
//: in x[n]
//: out y[n]
__global__ void grid_stride(const float* x, float* y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    //! off by one | out of bounds | for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += blockDim.x * gridDim.x) {
    //! stride of a block | race | for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) {
    //! begins at the thread | race | for (int i = threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    //! stride too large | unwritten | for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x + 1) {
        y[i] = x[i] * 2.0f;
    }
}
