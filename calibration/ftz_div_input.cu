// field: ftz
// fact: a subnormal dividend or divisor
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: -prec-div=true -prec-sqrt=true, -ftz=true -prec-div=true -prec-sqrt=true
// outcome: flushes = true if -prec-div=true -prec-sqrt=true, any if -ftz=true -prec-div=true -prec-sqrt=true
// outcome: keeps subnormal numbers = false if -prec-div=true -prec-sqrt=true
// row: 00400000 00800000 = 00000000 3f000000
// row: 00800000 00400000 = 7f800000 40000000
// row: 80800000 00400000 = ff800000 c0000000
// rule: column
extern "C" __global__ void ftz_div_input(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] / b[i];
}
