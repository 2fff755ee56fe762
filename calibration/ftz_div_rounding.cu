// field: ftz
// fact: a subnormal quotient is correctly rounded
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: -prec-div=true -prec-sqrt=true, -ftz=true -prec-div=true -prec-sqrt=true
// outcome: flushes = true if -prec-div=true -prec-sqrt=true, any if -ftz=true -prec-div=true -prec-sqrt=true
// outcome: keeps subnormal numbers = false if -prec-div=true -prec-sqrt=true
// row: 00800001 40000000 = 00000000 00400000
// row: 00800003 40000000 = 00000000 00400002
// row: 00ffffff 40400000 = 00000000 00555555
// row: bf800000 7f7fffff = 80000000 80200000
// row: 00800000 41200000 = 00000000 000ccccd
// row: 80ffffff 40e00000 = 80000000 80249249
// rule: column
extern "C" __global__ void ftz_div_rounding(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] / b[i];
}
