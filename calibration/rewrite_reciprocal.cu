// field: rewrites
// fact: with -ftz=true `x / 3` becomes a product with the rounded 1/3, from sm_100 on
// source: GPU_FLOAT 6.4; first to be verified on hardware
// runs: -ftz=true -prec-div=true -prec-sqrt=true
// outcome: the quotient, correctly rounded = any if sm<100, false if sm>=100
// outcome: the product = true if sm>=100
// row: 3f924925 = 3ec30c31 3ec30c32
// row: 3fb6db6e = 3ef3cf3d 3ef3cf3e
// row: 3fc92492 = 3f061861 3f061862
// row: 3fedb6db = 3f1e79e7 3f1e79e8
// row: 40c00000 = 40000000 40000000
// row: 3f800000 = 3eaaaaab 3eaaaaab
// rule: column
extern "C" __global__ void rewrite_reciprocal(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] / 3.0f;
}
