// field: contract
// fact: a sum of products in a loop, `s += a[k]*b[k]`, in its order
// source: GPU_FLOAT 2.2; after the last row come zeros
// runs: default
// outcome: each product fused into the sum = true
// outcome: each product rounded = false
// row: 3f800800 3f800800 c0400000 = 3a3ff400 3a3ff400
// row: 3f7ff000 3f800800 c0400000 = 3a1ffa00 3a1ff800
// row: 3f801000 3f7ff000 c0400000 = 3f004fff 3f004ffe
// row: 3f800400 3f800800 c0000000 = 3f004001 3f004000
// row: 3fc00800 3f800800 00000000 = 3fc01400 3fc01400
// rule: column
extern "C" __global__ void contract_loop(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    float s = c[i];
    for (int k = 0; k < 3; ++k) s += a[i + k] * b[i + k];
    r[i] = s;
}
