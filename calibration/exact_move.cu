// field: exact
// fact: loads, stores and selections keep every bit, a NaN's too
// source: PTX ISA 9.1, 9.7.9
// runs: default
// outcome: as documented = true
// outcome: a NaN becomes 0x7fffffff = none
// row: 7fc12345 7f812345 3f800000 00000000 = 7fc12345 7fffffff
// row: 7fc12345 7f812345 00000000 3f800000 = 7f812345 7fffffff
// row: ff800001 00000000 3f800000 00000000 = ff800001 7fffffff
// row: ffffffff 00000000 3f800000 00000000 = ffffffff 7fffffff
// rule: column
extern "C" __global__ void exact_move(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    float x = a[i], y = b[i];
    r[i] = c[i] > d[i] ? x : y;
}
