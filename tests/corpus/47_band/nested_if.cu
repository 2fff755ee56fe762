// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// Nested ifs.
extern "C" __global__ void nested_if_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r = 0.0f;
        if (x[i] > 0.0f) {
            if (x[i] < 1.0f) {
                r = x[i];
            }
        }
        y[i] = r;
    }
}
