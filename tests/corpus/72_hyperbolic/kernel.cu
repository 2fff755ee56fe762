// devsem: device=h100 verdict=PROVED obligations=acoshf,asinhf,atanhf,coshf,sinhf
// devsem: device=ieee verdict=PROVED obligations=acoshf,asinhf,atanhf,coshf,sinhf slow=yes
// The same.
extern "C" __global__ void hyperbolic_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = sinhf(a[i]) * coshf(a[i]) * asinhf(b[i]) * acoshf(b[i]) * atanhf(a[i]);
    }
}
