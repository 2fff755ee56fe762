// field: ftz
// fact: a subnormal float as a double, whose high word comes out
// source: PTX ISA 9.1, 9.7.9.21; GPU_FLOAT 3.2: cvt.ftz.f64.f32
// runs: default, -ftz=true
// outcome: flushes = true if default, any if -ftz=true
// outcome: keeps subnormal numbers = false if default
// row: 00400000 = 00000000 38000000
// row: 80000001 = 80000000 b6a00000
// row: 007fffff = 00000000 380fffff
// row: 3f800000 = 3ff00000 3ff00000
// row: ff800000 = fff00000 fff00000
// row: 7f7fffff = 47efffff 47efffff
// rule: column
extern "C" __global__ void ftz_to_double(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = __int_as_float(__double2hiint((double)a[i]));
}
