// field: ftz
// fact: a subnormal factor of fmaf
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: default, -ftz=true
// outcome: flushes = true if default, any if -ftz=true
// outcome: keeps subnormal numbers = false if default
// row: 00400000 40000000 00800000 = 00800000 01000000
// row: 40000000 00400000 00800000 = 00800000 01000000
// rule: column
extern "C" __global__ void ftz_fma_factor(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = fmaf(a[i], b[i], c[i]);
}
