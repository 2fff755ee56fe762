// Four elements at once where they fit, the rest one by one in the same thread.
//: sizes   n 1..2**30
//: grid    cdiv(cdiv(n, 4), 128)
//! no block for the tail | unwritten | //: grid    max(cdiv(n // 4, 128), 1)
//: block   128
//: in x[n]
//: out y[n]
__global__ void float4_tail(const float* x, float* y, int n) {
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
    //! guard of one element | out of bounds | if (i < n) {
    //! off by one | out of bounds | if (i + 2 < n) {
        float4 v = *reinterpret_cast<const float4*>(&x[i]);
        v.x = v.x * 0.5f; v.y = v.y * 0.5f; v.z = v.z * 0.5f; v.w = v.w * 0.5f;
        *reinterpret_cast<float4*>(&y[i]) = v;
    } else {
        for (int j = i; j < n; j++)
        //! tail begins late | unwritten | for (int j = i + 1; j < n; j++)
        //! tail ends late | out of bounds | for (int j = i; j <= n; j++)
            y[j] = x[j] * 0.5f;
    }
}
