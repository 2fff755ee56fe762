// field: rewrites
// fact: with -ftz=true the reciprocal that `x / 3e38` is multiplied with is flushed to 0, from sm_100 on
// source: GPU_FLOAT 6.4; first to be verified on hardware
// runs: -ftz=true -prec-div=true -prec-sqrt=true
// outcome: the quotient = any if sm<100, false if sm>=100
// outcome: zero = true if sm>=100
// row: 7f61b1e6 = 3f800000 00000000
// row: fee1b1e6 = bf000000 80000000
// row: 00000000 = 00000000 00000000
// rule: column
extern "C" __global__ void rewrite_reciprocal_flushed(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] / 3e38f;
}
