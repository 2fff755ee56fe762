// field: ftz
// fact: a subnormal number rounded up to an integer
// source: PTX ISA 9.1, 9.7.3, subnormal numbers; GPU_FLOAT 3.2
// runs: default, -ftz=true
// outcome: flushes = true if default, any if -ftz=true
// outcome: keeps subnormal numbers = false if default
// row: 00400000 = 00000000 00000001
// row: 00000001 = 00000000 00000001
// rule: column
extern "C" __global__ void ftz_to_int(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = __int_as_float(__float2int_ru(a[i]));
}
