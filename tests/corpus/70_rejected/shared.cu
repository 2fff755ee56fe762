// devsem: device=ieee verdict=PROVED
// Shared memory.
extern "C" __global__ void shared_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        __shared__ float t[32];
        y[i] = x[i] + 1.0f;
    }
}
