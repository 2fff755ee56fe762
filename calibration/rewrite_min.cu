// field: rewrites
// fact: `a < 0 ? a : 0` at -0 becomes min, for which -0 is below +0
// source: GPU_FLOAT 0.10, 4.2; first to be verified on hardware
// runs: default
// outcome: min = true
// outcome: the comparison as written = false
// row: 80000000 = 80000000 00000000
// row: 00000000 = 00000000 00000000
// row: bf800000 = bf800000 bf800000
// row: 7fc00000 = 00000000 00000000
// rule: column
extern "C" __global__ void rewrite_min(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] < 0.0f ? a[i] : 0.0f;
}
