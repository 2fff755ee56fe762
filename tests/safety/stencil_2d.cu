// Five-point stencil inside, copy at the border.
//: sizes   H 1..2**14, W 1..2**14
//: grid    cdiv(W, 32), cdiv(H, 8)
//: block   32, 8
//: in x[H, W]
//: out y[H, W]
__global__ void stencil_2d(const float* x, float* y, int H, int W) {
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (c >= W || r >= H) return;
    int i = r * W + c;
    if (r > 0 && r < H - 1 && c > 0 && c < W - 1)
    //! no lower bound of rows | out of bounds | if (r < H - 1 && c > 0 && c < W - 1)
    //! no upper bound of rows | out of bounds | if (r > 0 && c > 0 && c < W - 1)
        y[i] = x[i - W] + x[i + W] + x[i - 1] + x[i + 1] - 4.0f * x[i];
    else
        y[i] = x[i];
        //! border next row | out of bounds | y[i + W] = x[i];
}
