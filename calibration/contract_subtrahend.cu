// field: contract
// fact: `c - a*b`, which ptxas fuses
// source: GPU_FLOAT 2.2
// runs: default
// outcome: one rounding = true
// outcome: two roundings = false
// row: 3f800800 3f800800 3f800000 = ba000400 ba000000
// row: 3f800800 3f800800 3f801000 = b3800000 00000000
// row: 3f7ff000 3f800800 3f800000 = 33800000 33800000
// row: 40400004 40a00004 41700000 = b7300002 b7300000
// rule: column
extern "C" __global__ void contract_subtrahend(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = c[i] - a[i] * b[i];
}
