// field: rewrites
// fact: with -ftz=true `a * 1` is a copy that does not flush
// source: GPU_FLOAT 0.12, 3.3
// runs: -ftz=true
// outcome: a copy = true
// outcome: a product, flushed = false
// row: 00000001 = 00000001 00000000
// row: 80400000 = 80400000 80000000
// rule: column
extern "C" __global__ void rewrite_identity(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] * 1.0f;
}
