// devsem: device=ieee verdict=PROVED obligations=expf
// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=expf
// devsem: device=h100 verdict=OPEN truth=unknown
// expf ends in a multiplication that ptxas fuses into the sum. It is by a power of two, so only an underflow would show it.
extern "C" __global__ void exp_bias_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = expf(a[i]) + b[i];
    }
}
