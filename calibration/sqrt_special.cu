// field: sqrt
// fact: square roots of zeros, infinity and negative numbers
// source: PTX ISA 9.1, 9.7.3.15
// runs: -prec-div=true -prec-sqrt=true
// outcome: as IEEE 754 has them = any
// row: 00000000 = 00000000
// row: 80000000 = 80000000
// row: 7f800000 = 7f800000
// row: bf800000 = nan
// row: 80800000 = nan
// row: 7fc00000 = nan
// rule: column
extern "C" __global__ void sqrt_special(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = sqrtf(a[i]);
}
