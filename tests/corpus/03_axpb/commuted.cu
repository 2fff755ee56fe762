// devsem: device=ieee verdict=PROVED
// devsem: device=h100 verdict=REFUTED
// c + b*a rounds as a*b + c does, and is fused as well.
extern "C" __global__ void commuted_k(const float* a, const float* b, const float* c, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float t = b[i] * a[i];
        y[i] = c[i] + t;
    }
}
