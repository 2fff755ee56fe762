// devsem: device=ieee verdict=REJECTED reject=cuda.call@7
// A function that only another file defines.
__device__ float frobnicate(float v);
extern "C" __global__ void unknown_call_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = frobnicate(x[i]);
    }
}
