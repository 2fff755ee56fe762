// devsem: device=h100 flags="-fmad=false" verdict=PROVED slow=yes
// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED slow=yes
// TwoSum has no product to fuse.
extern "C" __global__ void two_sum_k(const float* a, const float* b, float* y, float* e, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float p = a[i], q = b[i];
    float s = p + q;
    float bb = s - p;
    y[i] = s;
    e[i] = (p - (s - bb)) + (q - bb);
}
