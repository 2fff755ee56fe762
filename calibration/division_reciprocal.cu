// field: division
// fact: `1 / b` is correctly rounded: reciprocals near the middle of two numbers
// source: PTX ISA 9.1, 9.7.3.13
// runs: -prec-div=true -prec-sqrt=true
// outcome: correctly rounded = any
// outcome: rounded toward zero = none
// row: 3fb17931 = 3f38a2d9 3f38a2d8
// row: 3fbd854e = 3f2ce639 3f2ce638
// row: 3ff8aa59 = 3f03c684 3f03c684
// row: 3fb8149a = 3f320254 3f320254
// row: 3fbd0350 = 3f2d5d22 3f2d5d21
// row: 3f8e1f1a = 3f669034 3f669034
// row: 3fb829a5 = 3f31edfe 3f31edfd
// row: 3feb96f5 = 3f0b16dc 3f0b16db
// row: 3fe8289a = 3f0d2518 3f0d2517
// row: 3f852c0d = 3f760ebf 3f760ebe
// row: 40400000 = 3eaaaaab 3eaaaaaa
// row: 7e7fffff = 00800001 00800000
// row: 00800000 = 7e800000 7e800000
// row: bf800001 = bf7ffffe bf7ffffe
// row: 40e00000 = 3e124925 3e124924
// rule: column
extern "C" __global__ void division_reciprocal(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = 1.0f / a[i];
}
