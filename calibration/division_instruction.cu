// field: division
// fact: which instruction `a / b` is compiled to
// source: PTX ISA 9.1, 9.7.3.8; GPU_FLOAT 6.2
// runs: default
// outcome: div.rn = ieee
// outcome: div.full = full
// outcome: div.approx = approx
// rule: code
extern "C" __global__ void division_instruction(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] / b[i];
}
