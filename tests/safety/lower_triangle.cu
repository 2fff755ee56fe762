// torch.tril: zero above the diagonal.
//: sizes   n 1..2**14
//: grid    cdiv(n, 16), cdiv(n, 16)
//: block   16, 16
//: in x[n, n]
//: out y[n, n]
__global__ void lower_triangle(const float* x, float* y, int n) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= n || r >= n) return;
    //! no guard of rows | out of bounds | if (c >= n) return;
    if (c <= r) y[r * n + c] = x[r * n + c];
    else y[r * n + c] = 0.0f;
    //! nothing above | unwritten |
    //! the mirror cell | race | else y[c * n + r] = 0.0f;
}
