// field: ftz
// fact: a double, its high word in a and its low word in b, as a subnormal float
// source: PTX ISA 9.1, 9.7.9.21; GPU_FLOAT 3.2: cvt.rn.ftz.f32.f64
// runs: default, -ftz=true
// outcome: flushes = true if default, any if -ftz=true
// outcome: keeps subnormal numbers = false if default
// row: 38000000 00000000 = 00000000 00400000
// row: b6a00000 00000000 = 80000000 80000001
// row: 36a80000 00000000 = 00000000 00000002
// row: 36900000 00000001 = 00000000 00000001
// row: 36900000 00000000 = 00000000 00000000
// row: 3ff00000 00000000 = 3f800000 3f800000
// rule: column
extern "C" __global__ void ftz_from_double(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = (float)__hiloint2double(__float_as_int(a[i]), __float_as_int(b[i]));
}
