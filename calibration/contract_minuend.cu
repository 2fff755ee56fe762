// field: contract
// fact: `a*b - c`, which ptxas fuses
// source: GPU_FLOAT 2.2
// runs: default
// outcome: one rounding = true
// outcome: two roundings = false
// row: 3f800800 3f800800 3f800000 = 3a000400 3a000000
// row: 3f800800 3f800800 3f801000 = 33800000 00000000
// row: 3f7ff000 3f800800 3f800000 = b3800000 b3800000
// row: 40400004 40a00004 41700000 = 37300002 37300000
// rule: column
extern "C" __global__ void contract_minuend(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] * b[i] - c[i];
}
