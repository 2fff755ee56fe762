// y = x x^T, both triangles from one computation.
//: sizes   n 1..2**12, k 1..2**12
//: grid    cdiv(n, 16), cdiv(n, 16)
//: block   16, 16
//: in x[n, k]
//: out y[n, n]
__global__ void symmetric_rank(const float* x, float* y, int n, int k) {
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= n || j > i) return;
    //! both threads write | race | if (i >= n || j >= n) return;
    //! diagonal left | unwritten | if (i >= n || j >= i) return;
    float s = 0.0f;
    for (int t = 0; t < k; t++) s += x[i * k + t] * x[j * k + t];
    y[i * n + j] = s;
    if (i != j) y[j * n + i] = s;
    //! one triangle only | unwritten |
    //! one below | out of bounds/race | if (i != j) y[(j + 1) * n + i] = s;
}
