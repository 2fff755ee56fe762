// field: contract
// fact: the last product of expf is fused into the sum after it, across the library; of `1 + expf(-x)` too, where no value shows it
// source: GPU_FLOAT 0.5, 2.2 [M:e5]
// runs: default
// outcome: fused = true
// outcome: expf rounded, as the fast one is = any
// outcome: expf flushed to 0 = any
// row: c2cb38f2 01000000 = 01000003 01000002 01000000
// row: c2cac0ef 01000000 = 01000003 01000004 01000000
// row: c2ca190b 01000000 = 01000005 01000004 01000000
// row: c2c9d13f 01000000 = 01000005 01000006 01000000
// rule: column
extern "C" __global__ void contract_libm(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = expf(a[i]) + b[i];
}
