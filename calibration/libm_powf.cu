// field: libm
// fact: powf(0, 0) and powf(NaN, 0) are 1; `__powf`, exp2 of y*log2(x), gives NaN
// source: CUDA C++ Programming Guide 13.1, 17.1 and table 20; C23 F.10.4.5
// runs: default
// outcome: C's special values = accurate
// outcome: those of `__powf` = fast
// row: 00000000 00000000 = 3f800000 nan
// row: 7fc00000 00000000 = 3f800000 nan
// row: bf800000 7f800000 = 3f800000 nan
// rule: column
extern "C" __global__ void libm_powf(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = powf(a[i], b[i]);
}
