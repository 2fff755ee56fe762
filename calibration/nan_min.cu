// field: nan
// fact: fminf of two NaNs
// source: CUDA C++ Programming Guide 13.1, 20.3
// runs: default
// outcome: 0x7fffffff = canonical
// outcome: the operand's payload, made quiet = none
// outcome: another NaN = none
// row: 7fc12345 7fc12345 = 7fffffff 7fc12345 nan
// row: ffc00001 ffc00001 = 7fffffff ffc00001 nan
// rule: column
extern "C" __global__ void nan_min(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = fminf(a[i], b[i]);
}
