// devsem: device=ieee verdict=REJECTED reject=cuda.atomic@6
// An atomic operation.
extern "C" __global__ void atomic_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&y[i], x[i]);
    }
}
