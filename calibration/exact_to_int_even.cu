// field: exact
// fact: __float2int_rn: ties to even
// source: PTX ISA 9.1, 9.7.9.21
// runs: default
// outcome: as documented = true
// outcome: ties away from zero = none
// row: 3f000000 = 00000000 00000001
// row: 3fc00000 = 00000002 00000002
// row: 40200000 = 00000002 00000003
// row: bf000000 = 00000000 ffffffff
// row: c0200000 = fffffffe fffffffd
// row: 4affffff = 00800000 00800000
// row: 3effffff = 00000000 00000000
// rule: column
extern "C" __global__ void exact_to_int_even(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = __int_as_float(__float2int_rn(a[i]));
}
