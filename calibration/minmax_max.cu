// field: minmax
// fact: fmaxf of a NaN and of the two zeros
// source: PTX ISA 9.1, 9.7.3.11 and 9.7.3.12
// runs: default
// outcome: a NaN loses, -0 is below +0 = number
// outcome: a NaN wins = none
// outcome: of two zeros the second = none
// outcome: of two zeros the first = none
// outcome: a NaN as the second operand wins = none
// row: 7fc12345 3f800000 = 3f800000 nan 3f800000 3f800000 3f800000
// row: 3f800000 7fc12345 = 3f800000 nan 3f800000 3f800000 nan
// row: ffc00001 bf800000 = bf800000 nan bf800000 bf800000 bf800000
// row: 7fc00000 7fc00000 = nan nan nan nan nan
// row: 00000000 80000000 = 00000000 00000000 80000000 00000000 00000000
// row: 80000000 00000000 = 00000000 00000000 00000000 80000000 00000000
// row: 3f800000 bf800000 = 3f800000 3f800000 3f800000 3f800000 3f800000
// row: 7f800000 ff800000 = 7f800000 7f800000 7f800000 7f800000 7f800000
// rule: column
extern "C" __global__ void minmax_max(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = fmaxf(a[i], b[i]);
}
