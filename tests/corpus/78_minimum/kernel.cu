// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// torch.minimum with a NaN test first.
extern "C" __global__ void minimum_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float p = fabsf(a[i]), q = b[i];
        y[i] = p != p || q != q ? NAN : fminf(p, q);
    }
}
