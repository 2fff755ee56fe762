// field: exact
// fact: (unsigned)a: toward zero, clamped, a NaN gives 0
// source: PTX ISA 9.1, 9.7.9.21
// runs: default
// outcome: as documented = true
// row: 00000000 = 00000000
// row: bf800000 = 00000000
// row: bf000000 = 00000000
// row: 3ff33333 = 00000001
// row: 4f7fffff = ffffff00
// row: 4f800000 = ffffffff
// row: 7f800000 = ffffffff
// row: ff800000 = 00000000
// row: 7fc00000 = 00000000
// rule: column
extern "C" __global__ void exact_to_uint(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = __uint_as_float((unsigned)a[i]);
}
