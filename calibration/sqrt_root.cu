// field: sqrt
// fact: sqrtf is correctly rounded: roots near the middle of two numbers
// source: PTX ISA 9.1, 9.7.3.15
// runs: -prec-div=true -prec-sqrt=true
// outcome: correctly rounded = any
// outcome: rounded toward zero = none
// row: 3fbe62b0 = 3f9c1b59 3f9c1b59
// row: 4068b2bd = 3ff41239 3ff41238
// row: 40047753 = 3fb82679 3fb82678
// row: 3fdcc9e6 = 3fa81c24 3fa81c24
// row: 404af81b = 3fe3f296 3fe3f295
// row: 407ef863 = 3fff7c0f 3fff7c0f
// row: 4065a8a7 = 3ff278d2 3ff278d2
// row: 404e5bbf = 3fe5d7c6 3fe5d7c6
// row: 4042ffe5 = 3fdf6d78 3fdf6d77
// row: 40635fe4 = 3ff1435b 3ff1435b
// row: 40000000 = 3fb504f3 3fb504f3
// row: 40400000 = 3fddb3d7 3fddb3d7
// row: 3f7fffff = 3f7fffff 3f7fffff
// row: 3f800001 = 3f800000 3f800000
// row: 7f7fffff = 5f7fffff 5f7fffff
// row: 00800001 = 20000000 20000000
// rule: column
extern "C" __global__ void sqrt_root(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = sqrtf(a[i]);
}
