// field: exact
// fact: products are rounded to nearest, ties to even
// source: PTX ISA 9.1, 9.7.3.5
// runs: default
// outcome: as documented = true
// outcome: toward zero = none
// row: 3f800001 3f800001 = 3f800002 3f800002
// row: 3fffffff 3fffffff = 407ffffe 407ffffe
// row: 3f800001 3fc00000 = 3fc00002 3fc00001
// row: 40400003 3f000001 = 3fc00005 3fc00004
// row: 7f7fffff 40000000 = 7f800000 7f7fffff
// row: c0000001 3f800003 = c0000004 c0000004
// rule: column
extern "C" __global__ void exact_mul(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] * b[i];
}
