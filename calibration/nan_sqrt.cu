// field: nan
// fact: the square root of a NaN
// source: CUDA C++ Programming Guide 13.1, 20.3
// runs: -prec-div=true -prec-sqrt=true
// outcome: 0x7fffffff = canonical
// outcome: the operand's payload, made quiet = none
// outcome: another NaN = none
// row: 7fc12345 = 7fffffff 7fc12345 nan
// row: 7f812345 = 7fffffff 7fc12345 nan
// rule: column
extern "C" __global__ void nan_sqrt(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = sqrtf(a[i]);
}
