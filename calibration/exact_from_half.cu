// field: exact
// fact: a half, the low bits of a, as a float: exact, subnormal halves kept under every flag
// source: PTX ISA 9.1, 9.7.9.21, cvt.f32.f16; GPU_FLOAT 3.2: no .ftz
// runs: default, -ftz=true
// outcome: exact = true
// outcome: subnormal halves flushed = none
// row: 00003c01 = 3f802000 3f802000
// row: 00000001 = 33800000 00000000
// row: 00008001 = b3800000 80000000
// row: 000003ff = 387fc000 00000000
// row: 00000400 = 38800000 38800000
// row: 00007bff = 477fe000 477fe000
// row: 0000fc00 = ff800000 ff800000
// row: 00008000 = 80000000 80000000
// row: 00007e00 = nan nan
// rule: column
extern "C" __global__ void exact_from_half(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    float f;
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(f) : "r"(__float_as_int(a[i])));
    r[i] = f;
}
