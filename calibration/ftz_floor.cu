// field: ftz
// fact: floorf of a negative subnormal number
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: default, -ftz=true
// outcome: flushes = true if default, any if -ftz=true
// outcome: keeps subnormal numbers = false if default
// row: 80400000 = 80000000 bf800000
// row: 80000001 = 80000000 bf800000
// rule: column
extern "C" __global__ void ftz_floor(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = floorf(a[i]);
}
