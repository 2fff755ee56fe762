// field: contract
// fact: `c*d + a*b` has one product fused, which one the compiler chooses
// source: GPU_FLOAT 2.3; NVRTC 13.0 takes c*d where the operands are loaded
// runs: default
// outcome: c*d fused, a*b rounded = true
// outcome: a*b fused, c*d rounded = true
// outcome: both rounded = false
// row: 3f800800 3f800800 3f800400 bf800400 = 397ffc00 39800800 39800000
// row: 3f7ff000 3f800800 bf800800 3f800400 = b9c00c00 b9c00800 b9c00800
// row: 40400004 40a00004 c0400002 40a00002 = 36afffff 36a00004 36a00000
// rule: column
extern "C" __global__ void contract_which_swapped(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = c[i] * d[i] + a[i] * b[i];
}
