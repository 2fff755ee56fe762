// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED slow=yes
// The intrinsics are never fused. -use_fast_math flushes subnormals.
extern "C" __global__ void rn_k(const float* a, const float* b, const float* c, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = __fadd_rn(__fmul_rn(a[i], b[i]), c[i]);
    }
}
