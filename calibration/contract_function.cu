// field: contract
// fact: a product and its sum in two inlined functions
// source: GPU_FLOAT 2.2
// runs: default
// outcome: one rounding = true
// outcome: two roundings = false
// row: 3f800800 3f800800 bf800000 = 3a000400 3a000000
// row: 3f800800 3f800800 bf801000 = 33800000 00000000
// row: 3f7ff000 3f800800 bf800000 = b3800000 b3800000
// row: 40400004 40a00004 c1700000 = 37300002 37300000
// rule: column
__device__ static float contract_product(float x, float y) { return x * y; }
__device__ static float contract_sum(float x, float y) { return x + y; }
extern "C" __global__ void contract_function(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = contract_sum(contract_product(a[i], b[i]), c[i]);
}
