// (A, B, C) to (A, C, B).
//: sizes   A 1..2**10, B 1..2**10, C 1..2**10
//: grid    cdiv(A * B * C, 256)
//: block   256
//: in x[A, B, C]
//: out y[A, C, B]
//: args    n = A * B * C
__global__ void permute_3d(const float* x, float* y, int n, int B, int C) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int c = i % C, b = (i / C) % B, a = i / (B * C);
    y[(a * C + c) * B + b] = x[i];
    //! width of the input | out of bounds/race | y[(a * C + c) * C + b] = x[i];
}
