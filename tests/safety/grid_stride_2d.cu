// Grid-stride in two dimensions.
//: sizes   R 1..2**14, C 1..2**14, G 1..64
//: grid    G, G
//: block   32, 4
//: in x[R, C]
//: out y[R, C]
__global__ void grid_stride_2d(const float* x, float* y, int R, int C) {
    for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < R; r += blockDim.y * gridDim.y)
    //! stride of the other axis | unwritten | for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < R; r += blockDim.x * gridDim.x)
        for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < C; c += blockDim.x * gridDim.x)
        //! one column too many | race | for (int c = blockIdx.x * blockDim.x + threadIdx.x; c <= C && r * C + c < R * C; c += blockDim.x * gridDim.x)
        //! stride without the grid | race | for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < C; c += blockDim.x)
            y[r * C + c] = x[r * C + c] * x[r * C + c];
}
