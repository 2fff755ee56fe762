// devsem: device=h100 verdict=PROVED obligations=expf
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED obligations=expf slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED
// The spec's formula, given that expf is the reference's. Fast math flushes: sigmoid(-88) is a subnormal number.
extern "C" __global__ void sigmoid_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 1.0f / (1.0f + expf(-x[i]));
    }
}
