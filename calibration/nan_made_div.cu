// field: nan
// fact: the NaN that comes of 0/0
// source: CUDA C++ Programming Guide 13.1, 20.3
// runs: -prec-div=true -prec-sqrt=true
// outcome: 0x7fffffff = canonical
// outcome: 0x7fc00000 = none
// outcome: 0xffc00000 = none
// outcome: another NaN = none
// row: 00000000 00000000 = 7fffffff 7fc00000 ffc00000 nan
// row: 7f800000 7f800000 = 7fffffff 7fc00000 ffc00000 nan
// rule: column
extern "C" __global__ void nan_made_div(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] / b[i];
}
