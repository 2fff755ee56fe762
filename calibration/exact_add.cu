// field: exact
// fact: sums are rounded to nearest, ties to even; overflow gives infinity
// source: PTX ISA 9.1, 9.7.3.3
// runs: default
// outcome: as documented = true
// outcome: ties away from zero = none
// outcome: toward zero = none
// row: 4b800000 3f800000 = 4b800000 4b800001 4b800000
// row: 4b800001 3f800000 = 4b800002 4b800002 4b800001
// row: 3f800000 33800000 = 3f800000 3f800001 3f800000
// row: 3f800001 33800000 = 3f800002 3f800002 3f800001
// row: 7f7fffff 73000000 = 7f800000 7f800000 7f7fffff
// row: 7f7fffff 72ffffff = 7f7fffff 7f7fffff 7f7fffff
// row: bf800001 b3800000 = bf800002 bf800002 bf800001
// row: 3f800000 bf800000 = 00000000 00000000 00000000
// row: 00000000 80000000 = 00000000 00000000 00000000
// row: 80000000 80000000 = 80000000 80000000 80000000
// row: 3fffffff 33ffffff = 40000000 40000000 3fffffff
// rule: column
extern "C" __global__ void exact_add(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] + b[i];
}
