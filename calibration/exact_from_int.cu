// field: exact
// fact: (float)n: rounded to nearest, ties to even
// source: PTX ISA 9.1, 9.7.9.21
// runs: default
// outcome: as documented = true
// outcome: toward zero = none
// row: 00000000 = 00000000 00000000
// row: 00000001 = 3f800000 3f800000
// row: ffffffff = bf800000 bf800000
// row: 01000001 = 4b800000 4b800000
// row: 01000003 = 4b800002 4b800001
// row: 7fffffff = 4f000000 4effffff
// row: 80000000 = cf000000 cf000000
// row: fefffffd = cb800002 cb800001
// row: 02000001 = 4c000000 4c000000
// row: 7fffffc0 = 4f000000 4effffff
// rule: column
extern "C" __global__ void exact_from_int(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = (float)__float_as_int(a[i]);
}
