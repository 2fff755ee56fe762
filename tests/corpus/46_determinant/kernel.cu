// devsem: device=ieee verdict=PROVED
// devsem: device=h100 verdict=REFUTED
// ad - bc: the minuend is fused.
extern "C" __global__ void determinant_k(const float* a, const float* b, const float* c, const float* d, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a[i] * d[i] - b[i] * c[i];
    }
}
