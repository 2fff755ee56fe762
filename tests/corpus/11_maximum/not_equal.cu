// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// p != p is true for a NaN only.
extern "C" __global__ void not_equal_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float p = a[i], q = b[i];
        y[i] = (p != p || q != q) ? NAN : fmaxf(p, q);
    }
}
