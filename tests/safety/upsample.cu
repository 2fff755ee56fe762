// Nearest neighbour, twice as wide and high.
//: sizes   H 1..2**12, W 1..2**12
//: grid    cdiv(2 * W, 16), cdiv(2 * H, 16)
//: block   16, 16
//: in x[H, W]
//: out y[2 * H, 2 * W]
__global__ void upsample(const float* x, float* y, int H, int W) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < 2 * W && r < 2 * H) y[r * 2 * W + c] = x[(r / 2) * W + c / 2];
    //! rounded up | out of bounds | if (c < 2 * W && r < 2 * H) y[r * 2 * W + c] = x[((r + 1) / 2) * W + c / 2];
    //! width of the input | race | if (c < 2 * W && r < 2 * H) y[r * W + c] = x[(r / 2) * W + c / 2];
    //! guard of the input | unwritten | if (c < W && r < H) y[r * 2 * W + c] = x[(r / 2) * W + c / 2];
}
