// field: window
// fact: a product that is below 2^-126, and rounds to it
// source: open: no document says it; calibration/README.md
// runs: default, -ftz=true
// outcome: flushes what is subnormal after rounding to Float32 = any if default, result if -ftz=true
// outcome: flushes what is below 2^-126 when rounded to 24 bits = after
// outcome: flushes what is exactly below 2^-126 = before
// row: 1fffffff 20000000 = 00800000 00000000 00000000
// row: 1fca6691 2021e58f = 00800000 00800000 00000000
// rule: column
extern "C" __global__ void ftz_window_mul(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] * b[i];
}
