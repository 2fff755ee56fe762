// Look at -0: the text says +0, but the compiler makes min.f32 of it, and min(-0, +0) is -0. On every architecture.
// devsem audit below_zero.cu --spec below_zero.py --arch sm_75,sm_90,sm_100 --text
extern "C" __global__ void below_zero(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] < 0.0f ? x[i] : 0.0f;
    }
}
