// devsem: device=ieee verdict=PROVED obligations=rsqrtf
// devsem: device=h100 verdict=OPEN truth=unknown
// On every device rsqrtf is the instruction rsqrt.approx, of which only a bound is documented.
extern "C" __global__ void rsqrt_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = rsqrtf(x[i]);
    }
}
