// A row a thread, in quads; the caller promises columns in fours.
//: sizes   R 1..2**14, C 1..2**14
//: where   C % 4 == 0
//! no promise | misaligned/out of bounds | //: where   C >= 1
//! even columns | misaligned/out of bounds | //: where   C % 2 == 0
//: grid    cdiv(R, 64)
//: block   64
//: in x[R, C]
//: out y[R]
__global__ void float4_rows(const float* x, float* y, int R, int C) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= R) return;
    float s = 0.0f;
    for (int j = 0; j < C; j += 4) {
    //! step of two | misaligned | for (int j = 0; j < C; j += 2) {
        float4 q = *reinterpret_cast<const float4*>(&x[r * C + j]);
        s += (q.x + q.y) + (q.z + q.w);
    }
    y[r] = s;
}
