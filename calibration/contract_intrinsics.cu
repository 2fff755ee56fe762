// field: contract
// fact: `__fmul_rn` and `__fadd_rn` are never fused
// source: CUDA C++ Programming Guide 13.1, 17.2
// runs: default
// outcome: two roundings = any
// outcome: one rounding = none
// row: 3f800800 3f800800 bf800000 = 3a000000 3a000400
// row: 3f800800 3f800800 bf801000 = 00000000 33800000
// row: 3f7ff000 3f800800 bf800000 = b3800000 b3800000
// row: 40400004 40a00004 c1700000 = 37300000 37300002
// rule: column
extern "C" __global__ void contract_intrinsics(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = __fadd_rn(__fmul_rn(a[i], b[i]), c[i]);
}
