// 2 x 2 windows, stride 2; an odd last row or column is left out.
//: sizes   H 2..2**12, W 2..2**12
//: grid    cdiv(W // 2, 16), cdiv(H // 2, 16)
//: block   16, 16
//: in x[H, W]
//: out y[H // 2, W // 2]
//! rounded up | unwritten | //: out y[cdiv(H, 2), cdiv(W, 2)]
__global__ void maxpool_2d(const float* x, float* y, int H, int W) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    int OH = H / 2, OW = W / 2;
    //! rows rounded up | out of bounds | int OH = (H + 1) / 2, OW = W / 2;
    if (r < OH && c < OW) {
        const float* p = x + 2 * r * W + 2 * c;
        //! three rows down | out of bounds | const float* p = x + 3 * r * W + 2 * c + 1;
        y[r * OW + c] = fmaxf(fmaxf(p[0], p[1]), fmaxf(p[W], p[W + 1]));
    }
}
