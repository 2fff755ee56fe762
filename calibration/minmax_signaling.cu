// field: minmax
// fact: fminf and fmaxf take a signaling NaN as a quiet one
// source: CUDA C++ Programming Guide 13.1, 20.3
// runs: default
// outcome: it loses = number
// outcome: it wins = none
// row: 7f800001 3f800000 = 40000000 nan
// row: 3f800000 ff800001 = 40000000 nan
// rule: column
extern "C" __global__ void minmax_signaling(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = fminf(a[i], b[i]) + fmaxf(a[i], b[i]);
}
