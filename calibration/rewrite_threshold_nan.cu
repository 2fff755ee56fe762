// field: rewrites
// fact: `a <= 0 ? 0 : a` at a NaN: a selection, or max.NaN in machine code
// source: GPU_FLOAT 0.9, 4.2; devsem takes all NaNs as one
// runs: default
// outcome: max.NaN: 0x7fffffff = any if sm>=80
// outcome: the NaN's own bits = any
// row: 7fc12345 = 7fffffff 7fc12345
// row: bf800000 = 00000000 00000000
// row: 40000000 = 40000000 40000000
// rule: column
extern "C" __global__ void rewrite_threshold_nan(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] <= 0.0f ? 0.0f : a[i];
}
