// field: contract
// fact: which product of `a*b - c*d` is fused
// source: GPU_FLOAT 2.3
// runs: default
// outcome: a*b fused, c*d rounded = true
// outcome: c*d fused, a*b rounded = none
// outcome: both rounded = false
// row: 3f800800 3f800800 bf800400 bf800400 = 39800800 397ffc00 39800000
// row: 3f7ff000 3f800800 3f800800 3f800400 = b9c00800 b9c00c00 b9c00800
// row: 40400004 40a00004 40400002 40a00002 = 36a00004 36afffff 36a00000
// rule: column
extern "C" __global__ void contract_which_minus(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] * b[i] - c[i] * d[i];
}
