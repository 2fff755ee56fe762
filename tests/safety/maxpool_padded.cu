// 3 x 3 windows, stride 2, one cell of padding.
//: sizes   H 1..2**12, W 1..2**12
//: grid    cdiv((W - 1) // 2 + 1, 16), cdiv((H - 1) // 2 + 1, 16)
//: block   16, 16
//: in x[H, W]
//: out y[(H - 1) // 2 + 1, (W - 1) // 2 + 1]
__global__ void maxpool_padded(const float* x, float* y, int H, int W) {
    int ow = blockIdx.x * blockDim.x + threadIdx.x, oh = blockIdx.y * blockDim.y + threadIdx.y;
    int OH = (H - 1) / 2 + 1, OW = (W - 1) / 2 + 1;
    if (oh >= OH || ow >= OW) return;
    float m = -3.0e38f;
    for (int i = 0; i < 3; i++) {
        int r = oh * 2 - 1 + i;
        if (r < 0 || r >= H) continue;
        //! no upper bound | out of bounds | if (r < 0) continue;
        //! no lower bound | out of bounds | if (r >= H) continue;
        for (int j = 0; j < 3; j++) {
            int c = ow * 2 - 1 + j;
            if (c < 0 || c >= W) continue;
            m = fmaxf(m, x[r * W + c]);
        }
    }
    y[oh * OW + ow] = m;
    //! stride of the input | out of bounds/unwritten | y[oh * W + ow] = m;
}
