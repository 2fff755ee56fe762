// field: rewrites
// fact: setp.gt.ftz with selp of the same constant, in hand-written PTX: ptxas makes FMNMX, without .FTZ
// source: GPU_FLOAT 3.3; first to be verified on hardware; devsem rests on neither
// runs: default
// outcome: FMNMX does not flush = any
// outcome: as the PTX says, the comparison flushes = any
// row: 00000001 = 00000001 00000000
// row: 00400000 = 00400000 00000000
// row: 3f800000 = 3f800000 3f800000
// row: bf800000 = 00000000 00000000
// rule: column
extern "C" __global__ void rewrite_flushed_compare(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    asm("{ .reg .pred p; setp.gt.ftz.f32 p, %1, 0f00000000; selp.f32 %0, %1, 0f00000000, p; }" : "=f"(r[i]) : "f"(a[i]));
}
