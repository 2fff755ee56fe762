// field: division
// fact: `a / b` is correctly rounded: quotients nearest to the middle of two numbers
// source: PTX ISA 9.1, 9.7.3.8
// runs: -prec-div=true -prec-sqrt=true
// outcome: correctly rounded = any
// outcome: rounded toward zero = none
// row: 3f86aa40 3f8b8e91 = 3f7706c8 3f7706c7
// row: 3f85c7af 3fce6981 = 3f25eb40 3f25eb40
// row: 3fb73610 3fd4a095 = 3f5c955e 3f5c955e
// row: 3fa17cce 3ff3aaeb = 3f29a91f 3f29a91e
// row: 3fc93757 3fd4ed05 = 3f71ebe6 3f71ebe6
// row: 3f92d86b 3fafb169 = 3f55f76c 3f55f76c
// row: 3fdbea0e 3fe6208b = 3f74a391 3f74a391
// row: 3f9f4217 3fc3e03d = 3f502476 3f502475
// row: 3f815e99 3fce55f7 = 3f20821d 3f20821c
// row: 3fa2a921 3fc8ddeb = 3f4f4e9f 3f4f4e9e
// row: 3faf5316 3fcbca07 = 3f5c3e25 3f5c3e24
// row: 3fbe1ae7 3ff2a895 = 3f488ea2 3f488ea1
// row: 3f800000 40400000 = 3eaaaaab 3eaaaaaa
// row: 7f7fffff 3f800001 = 7f7ffffd 7f7ffffd
// row: 7f7fffff 3f000000 = 7f800000 7f7fffff
// row: 40e00000 c0400000 = c0155555 c0155555
// row: 00ffffff 3f000001 = 017ffffd 017ffffd
// row: 7f000000 7effffff = 3f800001 3f800000
// rule: column
extern "C" __global__ void division_quotient(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = a[i] / b[i];
}
