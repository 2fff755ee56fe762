// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// Equal: |x| > FLT_MAX holds at infinities only.
extern "C" __global__ void largest_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fabsf(x[i]) > FLT_MAX ? 1.0f : x[i];
    }
}
