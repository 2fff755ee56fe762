// Vectors by index, then the last n % 4 elements by the first threads.
//: sizes   n 1..2**30
//: grid    cdiv(n, 256)
//: block   256
//: in x[n]
//: out y[n]
__global__ void float4_then_scalar(const float* x, float* y, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int quads = n / 4;
    if (t < quads) {
    //! one quad too many | out of bounds | if (t <= quads) {
        float4 v = reinterpret_cast<const float4*>(x)[t];
        reinterpret_cast<float4*>(y)[t] = make_float4(-v.x, -v.y, -v.z, -v.w);
    }
    int tail = 4 * quads + t;
    //! tail overlaps | race | int tail = 4 * quads + t - (quads > 0);
    //! no tail | unwritten | int tail = n + t;
    if (tail < n) y[tail] = -x[tail];
    //! tail without guard | out of bounds | if (t < 4) y[tail] = -x[tail];
}
