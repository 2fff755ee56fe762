// field: ftz
// fact: a subnormal product is correctly rounded
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: default, -ftz=true
// outcome: flushes = true if default, any if -ftz=true
// outcome: keeps subnormal numbers = false if default
// row: 00800001 3f000000 = 00000000 00400000
// row: 00800003 3f000000 = 00000000 00400002
// row: 00ffffff 3e800001 = 00000000 00400000
// row: 80c00001 3e99999a = 80000000 8039999a
// rule: column
extern "C" __global__ void ftz_mul_rounding(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] * b[i];
}
