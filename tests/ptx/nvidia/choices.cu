// switch, short circuits, calls that are not inlined, inline assembly with a block of its own.
__device__ __noinline__ float helper(float a, int k) { return k > 2 ? a * a + 1.0f : a - (float)k; }

extern "C" __global__ void choose(const float* x, float* out, int kind, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || kind < 0) return;
    float a = x[i], r = 0.0f;
    switch (kind) {
    case 0: r = a + 1.0f; break;
    case 1: r = helper(a, 3); break;
    case 2: r = a * a; // falls through
    case 3: r += expf(a); break;
    case 4: r = 1.0f / a; break;
    case 5: r = helper(helper(a, kind), 2); break;
    case 6: r = a > 0.0f && (a < 1.0f || a == 5.0f) ? 7.0f : 8.0f; break;
    default: r = -a;
    }
    out[i] = r;
}

extern "C" __global__ void assembly(const float* x, float* out, int* bits)
{
    float a = x[threadIdx.x], r;
    asm("{ .reg .f32 t; .reg .pred p; add.rn.f32 t, %1, 0f3F800000; setp.gt.f32 p, t, %1; selp.f32 %0, t, %1, p; }" : "=f"(r) : "f"(a));
    asm volatile("{\n .reg .f32 t;\n mul.rn.f32 t, %0, %0;\n mov.f32 %0, t;\n}" : "+f"(r));
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    out[threadIdx.x] = r;
    bits[threadIdx.x] = __brev(__clz(lane)) ^ __byte_perm(lane, __float_as_int(r), 0x5140) ^ __funnelshift_l(lane, 7, 3);
}
