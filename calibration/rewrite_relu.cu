// field: rewrites
// fact: `a > 0 ? a : 0` becomes max, whose value is the same
// source: GPU_FLOAT 4.2
// runs: default
// outcome: as written = any
// row: 80000000 = 00000000
// row: 00000000 = 00000000
// row: 3f800000 = 3f800000
// row: 7fc12345 = 00000000
// row: ff800000 = 00000000
// rule: column
extern "C" __global__ void rewrite_relu(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] > 0.0f ? a[i] : 0.0f;
}
