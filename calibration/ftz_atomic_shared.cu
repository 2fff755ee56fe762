// field: ftz
// fact: atomicAdd in shared memory keeps subnormal numbers, whatever the flags; devsem accepts no atomics, so rests on neither
// source: CUDA C++ Programming Guide 13.1, 20.3; GPU_FLOAT 3.2: FADD and ATOMS.CAST.SPIN [M: at.cu]
// runs: default, -ftz=true
// outcome: keeps subnormal numbers = any
// outcome: flushes = any
// row: 00400000 00800000 = 00c00000 00800000
// row: 00800001 80800000 = 00000001 00000000
// row: 80400000 00000000 = 80400000 00000000
// row: 00000000 00400000 = 00400000 00000000
// row: 80800001 00800000 = 80000001 80000000
// row: 3f800000 40000000 = 40400000 40400000
// rule: column
extern "C" __global__ void ftz_atomic_shared(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    __shared__ float s[64];
    s[i] = b[i];
    atomicAdd(s + i, a[i]);
    r[i] = s[i];
}
