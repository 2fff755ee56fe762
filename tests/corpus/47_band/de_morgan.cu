// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// !(p && q) is !p || !q.
extern "C" __global__ void de_morgan_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        bool outside = !(v > 0.0f) || !(v < 1.0f);
        y[i] = outside ? 0.0f : v;
    }
}
