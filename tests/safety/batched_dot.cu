// Dot products of rows of two matrices, unrolled by four with a rest.
//: sizes   R 1..2**14, C 1..2**14
//: grid    cdiv(R, 128)
//: block   128
//: in a[R, C], b[R, C]
//: out y[R]
__global__ void batched_dot(const float* a, const float* b, float* y, int R, int C) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= R) return;
    float s = 0.0f;
    int j = 0;
    for (; j + 3 < C; j += 4) {
    //! no room for four | out of bounds | for (; j < C; j += 4) {
    //! one short | out of bounds | for (; j + 2 < C; j += 4) {
        s += a[r * C + j] * b[r * C + j];
        s += a[r * C + j + 1] * b[r * C + j + 1];
        s += a[r * C + j + 2] * b[r * C + j + 2];
        s += a[r * C + j + 3] * b[r * C + j + 3];
    }
    for (; j < C; j++) s += a[r * C + j] * b[r * C + j];
    //! rest one longer | out of bounds | for (; j <= C; j++) s += a[r * C + j] * b[r * C + j];
    y[r] = s;
}
