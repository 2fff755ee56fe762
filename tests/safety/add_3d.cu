// A thread for each cell of a volume.
//: sizes   D 1..2**10, H 1..2**10, W 1..2**10
//: grid    cdiv(W, 8), cdiv(H, 8), cdiv(D, 4)
//: block   8, 8, 4
//: in a[D, H, W]
//: out y[D, H, W]
__global__ void add_3d(const float* a, float* y, int D, int H, int W) {
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    int h = blockIdx.y * blockDim.y + threadIdx.y;
    int d = blockIdx.z * blockDim.z + threadIdx.z;
    if (w >= W || h >= H || d >= D) return;
    //! no guard of W | race | if (h >= H || d >= D || (d * H + h) * W + w >= D * H * W) return;
    //! no guard of H | race | if (w >= W || d >= D || (d * H + h) * W + w >= D * H * W) return;
    //! no guard of D | out of bounds | if (w >= W || h >= H) return;
    y[(d * H + h) * W + w] = a[(d * H + h) * W + w] + 1.0f;
    //! wrong stride | out of bounds/race | y[(d * W + h) * W + w] = a[(d * H + h) * W + w] + 1.0f;
    //! rows of H | race | y[(d * H + h) + w] = a[(d * H + h) * W + w] + 1.0f;
}
