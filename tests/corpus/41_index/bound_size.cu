// devsem: device=ieee bind="elements=n" verdict=PROVED slow=yes
// A size with an unusual name, bound.
extern "C" __global__ void bound_size_k(const float* x, float* y, int elements) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements) {
        y[i] = x[i] + 1.0f;
    }
}
