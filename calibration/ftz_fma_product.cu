// field: ftz
// fact: a subnormal product inside fmaf is no result, and is not flushed
// source: GPU_FLOAT 3.3; PTX ISA 9.1, 9.7.3.6
// runs: default, -ftz=true
// outcome: keeps the product = any
// outcome: flushes the product = none
// row: 1c800000 1c800000 00800000 = 00800200 00800000
// row: 1c800000 9c800000 00800200 = 00800000 00800200
// rule: column
extern "C" __global__ void ftz_fma_product(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = fmaf(a[i], b[i], c[i]);
}
