// field: libm
// fact: whether `sinf(a)` is the approximate instruction, or the accurate function's arithmetic
// source: CUDA C++ Programming Guide 13.1, 17.1 and table 20
// runs: default
// outcome: sin.approx = fast
// outcome: fma.rn = accurate
// rule: code
extern "C" __global__ void libm_instruction(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = sinf(a[i]);
}
