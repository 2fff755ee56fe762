// devsem: device=h100 verdict=PROVED slow=yes
// One __fmul_rn suffices: only a plain product is fused.
extern "C" __global__ void one_rn_k(const float* a, const float* b, const float* c, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = __fmul_rn(a[i], b[i]) + c[i];
    }
}
