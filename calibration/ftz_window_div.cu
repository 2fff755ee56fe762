// field: window
// fact: a quotient that is below 2^-126, and rounds to it: it is a tie, and the divisor a power of two
// source: open: no document says it; calibration/README.md
// runs: -prec-div=true -prec-sqrt=true, -ftz=true -prec-div=true -prec-sqrt=true
// outcome: flushes what is subnormal after rounding to Float32 = any if -prec-div=true -prec-sqrt=true, result if -ftz=true -prec-div=true -prec-sqrt=true
// outcome: flushes it, as both other rules do = after
// row: 1fffffff 5f000000 = 00800000 00000000
// row: 9fffffff 5f000000 = 80800000 80000000
// rule: column
extern "C" __global__ void ftz_window_div(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] / b[i];
}
