// devsem: device=h100 verdict=PROVED obligations=acosf,asinf,atanf,tanf
// devsem: device=ieee verdict=PROVED obligations=acosf,asinf,atanf,tanf slow=yes
// Functions of C by their names, multiplied from left to right.
extern "C" __global__ void trigonometry_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = tanf(a[i]) * asinf(b[i]) * acosf(b[i]) * atanf(a[i]);
    }
}
