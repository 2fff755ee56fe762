// field: ftz
// fact: a selection passes a subnormal number on
// source: PTX ISA 9.1, 9.7.9.6 (selp has no .ftz)
// runs: default, -ftz=true
// outcome: keeps its bits = any
// outcome: flushes = none
// row: 00400000 80000001 3f800000 00000000 = 00400000 00000000
// row: 00400000 80000001 00000000 3f800000 = 80000001 80000000
// rule: column
extern "C" __global__ void ftz_select(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    float x = a[i], y = b[i];
    r[i] = c[i] > d[i] ? x : y;
}
