// field: exact
// fact: a float as a half, whose bits come out: to nearest even, infinity from 65520 on, subnormal halves kept under every flag
// source: PTX ISA 9.1, 9.7.9.21, cvt.rn.f16.f32; GPU_FLOAT 3.2: no .ftz
// runs: default, -ftz=true
// outcome: to nearest, ties to even = true
// outcome: toward zero = none
// outcome: subnormal halves flushed = none
// row: 3f801000 = 00003c00 00003c00 00003c00
// row: 3f801001 = 00003c01 00003c00 00003c01
// row: 3f803000 = 00003c02 00003c01 00003c02
// row: 477fefff = 00007bff 00007bff 00007bff
// row: 477ff000 = 00007c00 00007bff 00007c00
// row: c77ff000 = 0000fc00 0000fbff 0000fc00
// row: 33800000 = 00000001 00000001 00000000
// row: 33000000 = 00000000 00000000 00000000
// row: 33000001 = 00000001 00000000 00000000
// row: 33c00000 = 00000002 00000001 00000000
// row: 387fc000 = 000003ff 000003ff 00000000
// row: b3800000 = 00008001 00008001 00008000
// row: 00400000 = 00000000 00000000 00000000
// row: ff800000 = 0000fc00 0000fc00 0000fc00
// rule: column
extern "C" __global__ void exact_to_half(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    int h;
    asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.u32.u16 %0, h; }" : "=r"(h) : "f"(a[i]));
    r[i] = __int_as_float(h);
}
