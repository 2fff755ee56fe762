// field: nan
// fact: the absolute value of a NaN; devsem never rests on its bits
// source: PTX ISA 9.1, 9.7.3.9 and 9.7.3.10: unspecified; GPU_FLOAT 5; first to be verified on hardware
// runs: default
// outcome: 0x7fffffff = canonical
// outcome: only the sign bit changes = any
// outcome: the NaN made quiet, its sign as it was = none
// row: 7fc12345 = 7fffffff 7fc12345 7fc12345
// row: ffc00001 = 7fffffff 7fc00001 ffc00001
// row: 7f812345 = 7fffffff 7f812345 7fc12345
// rule: column
extern "C" __global__ void nan_abs(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = fabsf(a[i]);
}
