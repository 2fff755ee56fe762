// field: ftz
// fact: a subnormal difference of normal numbers; its sign stays
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: default, -ftz=true
// outcome: flushes = true if default, any if -ftz=true
// outcome: keeps subnormal numbers = false if default
// row: 00c00000 00800000 = 00000000 00400000
// row: 80c00000 80800000 = 80000000 80400000
// row: 00800000 00c00000 = 80000000 80400000
// rule: column
extern "C" __global__ void ftz_sub_result(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] - b[i];
}
