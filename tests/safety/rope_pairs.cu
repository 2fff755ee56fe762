// Rotates pairs (i, i + D/2) of each row.
//: sizes   R 1..2**14, D 2..2**10
//: where   D % 2 == 0
//! odd D | unwritten | //: where   D >= 2
//: grid    cdiv(R * (D // 2), 256)
//: block   256
//: in x[R, D], c[R, D // 2], s[R, D // 2]
//: out y[R, D]
__global__ void rope_pairs(const float* x, const float* c, const float* s, float* y, int R, int D) {
    int h = D / 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= R * h) return;
    int r = i / h, k = i % h;
    //! divided by D | out of bounds/race | int r = i / D, k = i % D;
    float a = x[r * D + k], b = x[r * D + k + h];
    y[r * D + k] = a * c[i] - b * s[i];
    y[r * D + k + h] = b * c[i] + a * s[i];
    //! neighbour for partner | race/unwritten/out of bounds | y[r * D + k + 1] = b * c[i] + a * s[i];
}
