// field: rewrites
// fact: `1.1f*1.3f - 1.43f` is computed by the compiler, each operation rounded
// source: GPU_FLOAT 2.5
// runs: default
// outcome: folded, two roundings = true
// outcome: computed at run time, one rounding = false
// row: 00000000 = 00000000 33051eb8
// rule: column
extern "C" __global__ void rewrite_folding(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = 1.1f * 1.3f - 1.43f;
}
