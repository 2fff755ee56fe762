// field: ftz
// fact: a subnormal product of normal numbers
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: default, -ftz=true
// outcome: flushes = true if default, any if -ftz=true
// outcome: keeps subnormal numbers = false if default
// row: 00800000 3f000000 = 00000000 00400000
// row: 80800000 3f000000 = 80000000 80400000
// rule: column
extern "C" __global__ void ftz_mul_result(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] * b[i];
}
