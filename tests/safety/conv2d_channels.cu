// (N, C, H, W) with (F, C, 3, 3), valid; an output cell a thread, sample and filter in grid z.
//: sizes   N 1..64, C 1..64, F 1..64, H 3..512, W 3..512
//: grid    cdiv(W - 2, 16), cdiv(H - 2, 16), N * F
//: block   16, 16
//: in x[N, C, H, W], k[F, C, 3, 3]
//: out y[N, F, H - 2, W - 2]
__global__ void conv2d_channels(const float* x, const float* k, float* y, int C, int F, int H, int W) {
    int OH = H - 2, OW = W - 2;
    int ow = blockIdx.x * blockDim.x + threadIdx.x, oh = blockIdx.y * blockDim.y + threadIdx.y;
    int f = blockIdx.z % F, n = blockIdx.z / F;
    //! exchanged | out of bounds | int n = blockIdx.z % F, f = blockIdx.z / F;
    if (oh >= OH || ow >= OW) return;
    //! no guard of rows | out of bounds/race | if (ow >= OW) return;
    float s = 0.0f;
    for (int c = 0; c < C; c++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                s += x[((n * C + c) * H + oh + i) * W + ow + j] * k[((f * C + c) * 3 + i) * 3 + j];
                //! channels of the filter | out of bounds | s += x[((n * F + c) * H + oh + i) * W + ow + j] * k[((f * C + c) * 3 + i) * 3 + j];
    y[((n * F + f) * OH + oh) * OW + ow] = s;
    //! channels of the input | out of bounds/race | y[((n * C + f) * OH + oh) * OW + ow] = s;
}
