// field: ftz
// fact: the square root of a subnormal number
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: -prec-div=true -prec-sqrt=true, -ftz=true -prec-div=true -prec-sqrt=true
// outcome: flushes = true if -prec-div=true -prec-sqrt=true, any if -ftz=true -prec-div=true -prec-sqrt=true
// outcome: keeps subnormal numbers = false if -prec-div=true -prec-sqrt=true
// row: 00000002 = 00000000 1a800000
// row: 00000008 = 00000000 1b000000
// rule: column
extern "C" __global__ void ftz_sqrt(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = sqrtf(a[i]);
}
