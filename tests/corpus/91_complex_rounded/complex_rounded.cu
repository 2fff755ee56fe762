// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED slow=yes
// Products by __fmul_rn are not fused.
extern "C" __global__ void complex_rounded_k(const float* ar, const float* ai, const float* br, const float* bi, float* re, float* im, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float p = ar[i], q = ai[i], r = br[i], s = bi[i];
    re[i] = __fsub_rn(__fmul_rn(p, r), __fmul_rn(q, s));
    im[i] = __fadd_rn(__fmul_rn(q, r), __fmul_rn(p, s));
}
