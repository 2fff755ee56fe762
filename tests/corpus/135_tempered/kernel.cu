// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=expf
// devsem: device=h100 verdict=PROVED obligations=expf
// Twice the difference is it over a half.
extern "C" __global__ void tempered_k(const float* x_in, const float* m_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = x_in[i];
    float m = m_in[i];
    y[i] = expf((x - m) * 2.0f);
}
