// switch, nested loops with break and continue, calls that are not inlined, local arrays, inline assembly.
#include "cuda.h"
__constant__ float taps[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
__device__ __attribute__((noinline)) float helper(float a, int k) { return k > 2 ? a * a + 1.0f : a - (float)k; }

extern "C" __global__ void choose(const float* x, float* out, int kind)
{
    int i = threadIdx_x;
    float a = x[i], r = 0.0f;
    switch (kind) {
    case 0: r = a + 1.0f; break;
    case 1: r = helper(a, 3); break;
    case 2: r = a * a; // falls through
    case 3: r += taps[i % 5]; break;
    case 4: r = 1.0f / a; break;
    case 5: r = helper(helper(a, kind), 2); break;
    default: r = -a;
    }
    out[i] = r;
}

extern "C" __global__ void search(const float* x, int* out, int n, float limit)
{
    int found = -1;
    for (int r = 0; r < n; ++r) {
        float s = 0.0f;
        for (int k = 0; k < n; ++k) {
            float v = x[r * n + k];
            if (v < 0.0f) continue;
            if (v > limit) break;
            s += v;
        }
        if (s > limit) { found = r; break; }
    }
    out[threadIdx_x] = found;
}

extern "C" __global__ void local(const float* x, float* out, int k)
{
    float kept[8];
    for (int i = 0; i < 8; ++i) kept[(i * 3) & 7] = x[i] * (float)i;
    float r;
    asm("{ .reg .f32 t; add.rn.f32 t, %1, 0f3F800000; mul.rn.f32 %0, t, t; }" : "=f"(r) : "f"(kept[k & 7]));
    out[threadIdx_x] = r;
}
