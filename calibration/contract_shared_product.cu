// field: contract
// fact: a product with another use than sums is not fused
// source: GPU_FLOAT 2.2
// runs: default
// outcome: two roundings = any
// outcome: one rounding in the sum = none
// row: 3f800800 3f800800 bf800000 = 3a001000 3a001400
// row: 3f800800 3f800800 bf801000 = 00000000 33801000
// row: 3f7ff000 3f800800 bf800000 = b37fffff b37fffff
// row: 40400004 40a00004 c1700000 = 39250008 39250009
// rule: column
extern "C" __global__ void contract_shared_product(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    float t = a[i] * b[i];
    r[i] = (t + c[i]) * t;
}
