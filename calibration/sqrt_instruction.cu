// field: sqrt
// fact: which instruction `sqrtf(a)` is compiled to
// source: PTX ISA 9.1, 9.7.3.15; GPU_FLOAT 6.2
// runs: default
// outcome: sqrt.rn = ieee
// outcome: sqrt.approx = approx
// rule: code
extern "C" __global__ void sqrt_instruction(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = sqrtf(a[i]);
}
