// devsem: device=h100 flags="-prec-div=false" verdict=PROVED slow=yes
// __fdiv_rn is IEEE division whatever the flags say.
extern "C" __global__ void div_rn_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = __fdiv_rn(a[i] - b[i], a[i] + b[i]);
    }
}
