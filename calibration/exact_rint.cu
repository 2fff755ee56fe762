// field: exact
// fact: rintf: a whole number, the sign of zero kept
// source: PTX ISA 9.1, 9.7.9.21
// runs: default
// outcome: as documented = true
// row: 3f000000 = 00000000
// row: 3fc00000 = 40000000
// row: 40200000 = 40000000
// row: bf000000 = 80000000
// row: c0200000 = c0000000
// row: 4affffff = 4b000000
// rule: column
extern "C" __global__ void exact_rint(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = rintf(a[i]);
}
