// field: rewrites
// fact: `a > -0 ? a : -0` at +0 becomes max, for which +0 is above -0, below sm_100
// source: GPU_FLOAT 4.2; nvcc 13.0.88 keeps the comparison on sm_100 and sm_120
// runs: default
// outcome: max = true if sm<100
// outcome: the comparison as written = false if sm<100, true if sm>=100
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
