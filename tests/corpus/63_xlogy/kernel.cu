// devsem: device=h100 verdict=PROVED obligations=logf
// devsem: device=ieee verdict=PROVED obligations=logf slow=yes
// b a NaN: NaN; a zero: +0; otherwise a * log(b).
extern "C" __global__ void xlogy_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float p = a[i], q = b[i];
        y[i] = isnan(q) ? q : p == 0.0f ? 0.0f : p * logf(q);
    }
}
