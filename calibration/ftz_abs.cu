// field: ftz
// fact: the absolute value of a subnormal number
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: default, -ftz=true
// outcome: flushes = true if default, any if -ftz=true
// outcome: keeps subnormal numbers = false if default
// row: 00400000 = 00000000 00400000
// row: 80400000 = 00000000 00400000
// rule: column
extern "C" __global__ void ftz_abs(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = fabsf(a[i]);
}
