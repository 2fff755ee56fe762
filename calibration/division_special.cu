// field: division
// fact: quotients of zeros and infinities
// source: IEEE 754-2019, 6.1, 7.3
// runs: -prec-div=true -prec-sqrt=true
// outcome: as IEEE 754 has them = any
// row: 3f800000 00000000 = 7f800000
// row: 3f800000 80000000 = ff800000
// row: 00000000 00000000 = nan
// row: 7f800000 ff800000 = nan
// row: bf800000 7f800000 = 80000000
// row: 7f800000 80000000 = ff800000
// row: 80000000 40400000 = 80000000
// rule: column
extern "C" __global__ void division_special(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] / b[i];
}
