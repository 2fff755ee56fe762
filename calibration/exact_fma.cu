// field: exact
// fact: fmaf rounds once
// source: PTX ISA 9.1, 9.7.3.6
// runs: default
// outcome: as documented = true
// outcome: rounds its product first = none
// row: 3f800800 3f800800 bf800000 = 3a000400 3a000000
// row: 3f800800 3f800800 bf801000 = 33800000 00000000
// row: 3f7ff000 3f800800 bf800000 = b3800000 b3800000
// row: 40400004 40a00004 c1700000 = 37300002 37300000
// rule: column
extern "C" __global__ void exact_fma(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = fmaf(a[i], b[i], c[i]);
}
