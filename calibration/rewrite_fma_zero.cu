// field: rewrites
// fact: `fmaf(a, b, -0) + c` becomes a product that is fused, from sm_100 on
// source: GPU_FLOAT 0.6; first to be verified on hardware
// runs: default
// outcome: two roundings = any if sm<100, false if sm>=100
// outcome: one rounding = true if sm>=100
// row: 3f800800 3f800800 bf800000 = 3a000000 3a000400
// row: 3f800800 3f800800 bf801000 = 00000000 33800000
// row: 3f7ff000 3f800800 bf800000 = b3800000 b3800000
// row: 40400004 40a00004 c1700000 = 37300000 37300002
// rule: column
extern "C" __global__ void rewrite_fma_zero(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = fmaf(a[i], b[i], -0.0f) + c[i];
}
