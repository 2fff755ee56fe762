// field: rewrites
// fact: `a > -0 ? a : -0` at +0 becomes max, for which +0 is above -0
// source: GPU_FLOAT 4.2
// runs: default
// outcome: max = true
// outcome: the comparison as written = false
// row: 00000000 = 00000000 80000000
// row: 80000000 = 80000000 80000000
// row: 3f800000 = 3f800000 3f800000
// row: 7fc00000 = 80000000 80000000
// rule: column
extern "C" __global__ void rewrite_max(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] > -0.0f ? a[i] : -0.0f;
}
