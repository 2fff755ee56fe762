// field: exact
// fact: a double, its high word in a and its low word in b, as a float: to nearest even, infinity from 2^128 - 2^103 on
// source: PTX ISA 9.1, 9.7.9.21, cvt.rn.f32.f64
// runs: default
// outcome: to nearest, ties to even = true
// outcome: toward zero = none
// outcome: ties away from zero = none
// row: 3ff00000 10000000 = 3f800000 3f800000 3f800001
// row: 3ff00000 10000001 = 3f800001 3f800000 3f800001
// row: 3ff00000 30000000 = 3f800002 3f800001 3f800002
// row: bff00000 10000001 = bf800001 bf800000 bf800001
// row: 47efffff f0000000 = 7f800000 7f7fffff 7f800000
// row: 47efffff efffffff = 7f7fffff 7f7fffff 7f7fffff
// row: c7f00000 00000000 = ff800000 ff7fffff ff800000
// row: 00000000 00000001 = 00000000 00000000 00000000
// row: 80000000 00000000 = 80000000 80000000 80000000
// row: 7ff00000 00000000 = 7f800000 7f800000 7f800000
// row: 7ff80000 00000001 = nan nan nan
// rule: column
extern "C" __global__ void exact_from_double(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = (float)__hiloint2double(__float_as_int(a[i]), __float_as_int(b[i]));
}
