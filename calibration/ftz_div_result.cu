// field: ftz
// fact: a subnormal quotient of normal numbers
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: -prec-div=true -prec-sqrt=true, -ftz=true -prec-div=true -prec-sqrt=true
// outcome: flushes = true if -prec-div=true -prec-sqrt=true, any if -ftz=true -prec-div=true -prec-sqrt=true
// outcome: keeps subnormal numbers = false if -prec-div=true -prec-sqrt=true
// row: 00800000 40000000 = 00000000 00400000
// row: 80800000 40000000 = 80000000 80400000
// rule: column
extern "C" __global__ void ftz_div_result(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] / b[i];
}
