// field: exact
// fact: (int)a: toward zero, clamped, a NaN gives 0
// source: PTX ISA 9.1, 9.7.9.21
// runs: default
// outcome: as documented = true
// outcome: 0x80000000 for all that do not fit = none
// row: 00000000 = 00000000 00000000
// row: 80000000 = 00000000 00000000
// row: 3fc00000 = 00000001 00000001
// row: bfc00000 = ffffffff ffffffff
// row: 3f7fffff = 00000000 00000000
// row: 4effffff = 7fffff80 7fffff80
// row: 4f000000 = 7fffffff 80000000
// row: cf000000 = 80000000 80000000
// row: cf000001 = 80000000 80000000
// row: 7f800000 = 7fffffff 80000000
// row: ff800000 = 80000000 80000000
// row: 7fc00000 = 00000000 80000000
// rule: column
extern "C" __global__ void exact_to_int(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = __int_as_float((int)a[i]);
}
