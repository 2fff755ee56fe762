// field: exact
// fact: __saturatef clamps to [0, 1] and makes a NaN +0
// source: PTX ISA 9.1, 9.7.9.21
// runs: default
// outcome: as documented = true
// outcome: keeps a NaN = none
// outcome: keeps -0 = none
// row: 80000000 = 00000000 00000000 80000000
// row: 00000000 = 00000000 00000000 00000000
// row: bf800000 = 00000000 00000000 00000000
// row: 3f000000 = 3f000000 3f000000 3f000000
// row: 40000000 = 3f800000 3f800000 3f800000
// row: 7f800000 = 3f800000 3f800000 3f800000
// row: ff800000 = 00000000 00000000 00000000
// row: 7fc12345 = 00000000 nan 00000000
// row: ffc00000 = 00000000 nan 00000000
// rule: column
extern "C" __global__ void exact_saturate(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = __saturatef(a[i]);
}
