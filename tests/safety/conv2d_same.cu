// 3 x 3 with zeros around.
//: sizes   H 1..2**12, W 1..2**12
//: grid    cdiv(W, 16), cdiv(H, 16)
//: block   16, 16
//: in x[H, W], k[9]
//: out y[H, W]
__global__ void conv2d_same(const float* x, const float* k, float* y, int H, int W) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= H || c >= W) return;
    float s = 0.0f;
    for (int i = -1; i <= 1; i++) {
        for (int j = -1; j <= 1; j++) {
            int a = r + i, b = c + j;
            if (a >= 0 && a < H && b >= 0 && b < W) s += x[a * W + b] * k[(i + 1) * 3 + j + 1];
            //! no lower bound of rows | out of bounds | if (a < H && b >= 0 && b < W) s += x[a * W + b] * k[(i + 1) * 3 + j + 1];
            //! no upper bound of rows | out of bounds | if (a >= 0 && b >= 0 && b < W) s += x[a * W + b] * k[(i + 1) * 3 + j + 1];
            //! kernel not shifted | out of bounds | if (a >= 0 && a < H && b >= 0 && b < W) s += x[a * W + b] * k[i * 3 + j];
        }
    }
    y[r * W + c] = s;
}
