// devsem: device=ieee verdict=PROVED
// devsem: device=t4,a100,h100,b200,rtx4090 verdict=REFUTED
// devsem: device=h100,b200 flags="-fmad=false" verdict=PROVED
// devsem: device=h100 flags="-ftz=true -fmad=false" verdict=REFUTED
// One fma by default, two roundings in the spec: a = b = 1 + 2^-12, c = -1 shows the difference. -fmad=false makes it two; -ftz=true
// then flushes.
extern "C" __global__ void axpb_k(const float* a, const float* b, const float* c, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a[i] * b[i] + c[i];
    }
}
