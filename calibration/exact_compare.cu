// field: exact
// fact: a NaN compares false, also as unequal to itself only with !=
// source: PTX ISA 9.1, 9.7.6
// runs: default
// outcome: as documented = true
// row: 3f800000 40000000 = 41300000
// row: 3f800000 3f800000 = 40c00000
// row: 40000000 3f800000 = 41000000
// row: 00000000 80000000 = 40c00000
// row: 7fc12345 3f800000 = 41000000
// row: 3f800000 7fc12345 = 41000000
// row: 7fc12345 7fc12345 = 41000000
// row: ff800000 7f800000 = 41300000
// rule: column
extern "C" __global__ void exact_compare(const float* a, const float* b, const float* c, const float* d, float* r)
{
    int i = threadIdx.x;
    r[i] = (a[i] < b[i] ? 1.0f : 0.0f) + (a[i] <= b[i] ? 2.0f : 0.0f) + (a[i] == b[i] ? 4.0f : 0.0f) + (a[i] != b[i] ? 8.0f : 0.0f);
}
