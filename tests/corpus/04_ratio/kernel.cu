// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// devsem: device=h100 flags="-prec-div=false" verdict=OPEN truth=unknown
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED
// IEEE division by default. div.full may be 2 ulp off, or not: neither proof nor witness. Fast math flushes: a = 2^-149, b = 0 gives
// 0/0, not 1.
extern "C" __global__ void ratio_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float p = a[i], q = b[i];
        y[i] = (p - q) / (p + q);
    }
}
