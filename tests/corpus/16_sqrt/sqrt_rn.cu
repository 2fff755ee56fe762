// devsem: device=h100 flags="-prec-sqrt=false" verdict=PROVED slow=yes
// __fsqrt_rn is IEEE whatever the flags say.
extern "C" __global__ void sqrt_rn_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = __fsqrt_rn(x[i]);
    }
}
