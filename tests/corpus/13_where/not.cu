// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// !(a > b) is.
extern "C" __global__ void not_k(const float* a, const float* b, const float* c, const float* d, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = !(a[i] > b[i]) ? d[i] : c[i];
    }
}
