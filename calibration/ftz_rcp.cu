// field: ftz
// fact: a subnormal reciprocal, and the reciprocal of a subnormal number
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: default, -ftz=true
// outcome: flushes = true if default, any if -ftz=true
// outcome: keeps subnormal numbers = false if default
// row: 7f000000 = 00000000 00400000
// row: ff000000 = 80000000 80400000
// row: 00400000 = 7f800000 7f000000
// rule: column
extern "C" __global__ void ftz_rcp(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = 1.0f / a[i];
}
