// devsem: device=ieee verdict=PROVED obligations=expf,log1pf
// devsem: device=h100 verdict=OPEN truth=equal
// min(x, 0) - log1p(exp(-|x|)). On a device the compiler makes x < 0 ? x : 0 a min.f32, which is -0 at -0; that log1p(exp(-0)) is
// not 0 no theorem says.
extern "C" __global__ void logsigmoid_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = (v < 0.0f ? v : 0.0f) - log1pf(expf(-fabsf(v)));
    }
}
