// devsem: device=ieee verdict=REFUTED safety=FAIL
// A barrier.
extern "C" __global__ void sync_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        __syncthreads();
        y[i] = x[i] + 1.0f;
    }
}
