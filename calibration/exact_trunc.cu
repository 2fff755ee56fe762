// field: exact
// fact: truncf: a whole number, the sign of zero kept
// source: PTX ISA 9.1, 9.7.9.21
// runs: default
// outcome: as documented = true
// row: 3fc00000 = 3f800000
// row: bfc00000 = bf800000
// row: bf000000 = 80000000
// row: 3f7fffff = 00000000
// row: 4affffff = 4afffffe
// rule: column
extern "C" __global__ void exact_trunc(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = truncf(a[i]);
}
