// field: ftz
// fact: a subnormal factor
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: default, -ftz=true
// outcome: flushes = true if default, any if -ftz=true
// outcome: keeps subnormal numbers = false if default
// row: 00400000 4b000000 = 00000000 0b800000
// row: 4b000000 80400000 = 80000000 8b800000
// rule: column
extern "C" __global__ void ftz_mul_input(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] * b[i];
}
