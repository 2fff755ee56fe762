// devsem: device=ieee verdict=PROVED
// A signed 64-bit index.
extern "C" __global__ void long_long_index_k(const float* x, float* y, long long n) {
    long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] + 1.0f;
    }
}
