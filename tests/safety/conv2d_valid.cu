// 3 x 3, valid.
//: sizes   H 3..2**12, W 3..2**12
//: grid    cdiv(W - 2, 16), cdiv(H - 2, 16)
//: block   16, 16
//: in x[H, W], k[3, 3]
//: out y[H - 2, W - 2]
__global__ void conv2d_valid(const float* x, const float* k, float* y, int H, int W) {
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    int OH = H - 2, OW = W - 2;
    if (r >= OH || c >= OW) return;
    //! guard of the input in rows | out of bounds | if (r >= H || c >= OW) return;
    //! guard of the input in columns | race/out of bounds | if (r >= OH || c >= W) return;
    float s = 0.0f;
    for (int i = 0; i < 3; i++)
    //! four rows | out of bounds | for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            s += x[(r + i) * W + c + j] * k[i * 3 + j];
            //! stride of the kernel | out of bounds | s += x[(r + i) * W + c + j] * k[i * W + j];
    y[r * OW + c] = s;
    //! width of the input | out of bounds/unwritten | y[r * W + c] = s;
}
