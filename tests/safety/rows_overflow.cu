// row * cols + col of a large matrix in 64 bits.
//: sizes   R 1..2**20, C 1..2**20; most 2**36
//: grid    cdiv(C, 32), cdiv(R, 8)
//: block   32, 8
//: in x[R, C]
//: out y[R, C]
__global__ void rows_overflow(const float* x, float* y, int R, int C) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < R && c < C) {
        long long i = (long long)r * C + c;
        //! product in 32 bits | out of bounds | long long i = r * C + c;
        //! widened too late | out of bounds | long long i = (long long)(r * C) + c;
        y[i] = x[i];
    }
}
