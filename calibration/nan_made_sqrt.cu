// field: nan
// fact: the NaN that comes of the square root of a negative number
// source: CUDA C++ Programming Guide 13.1, 20.3
// runs: -prec-div=true -prec-sqrt=true
// outcome: 0x7fffffff = canonical
// outcome: 0x7fc00000 = none
// outcome: 0xffc00000 = none
// outcome: another NaN = none
// row: bf800000 = 7fffffff 7fc00000 ffc00000 nan
// row: ff800000 = 7fffffff 7fc00000 ffc00000 nan
// rule: column
extern "C" __global__ void nan_made_sqrt(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = sqrtf(a[i]);
}
