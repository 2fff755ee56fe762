// field: ftz
// fact: atomicAdd in global memory flushes, whatever the flags; devsem accepts no atomics, so rests on neither
// source: CUDA C++ Programming Guide 13.1, 20.3; GPU_FLOAT 3.2: RED.E.ADD.F32.FTZ.RN [M: at.cu]
// runs: default, -ftz=true
// outcome: flushes = any
// outcome: keeps subnormal numbers = any
// row: 00400000 00800000 = 00800000 00c00000
// row: 00800001 80800000 = 00000000 00000001
// row: 80400000 00000000 = 00000000 80400000
// row: 00000000 00400000 = 00000000 00400000
// row: 80800001 00800000 = 80000000 80000001
// row: 3f800000 40000000 = 40400000 40400000
// rule: column
extern "C" __global__ void ftz_atomic_global(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = b[i];
    atomicAdd(r + i, a[i]);
}
