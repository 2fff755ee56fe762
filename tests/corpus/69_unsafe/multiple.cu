// devsem: device=ieee assume="n % 32 == 0" verdict=REFUTED safety=FAIL
// A multiple of 32 elements does not fill blocks of any size.
extern "C" __global__ void multiple_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1.0f;
}
