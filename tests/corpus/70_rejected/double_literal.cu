// devsem: device=ieee verdict=REJECTED reject=cuda.double@6
// 1.5 is a double: the arithmetic is in double precision.
extern "C" __global__ void double_literal_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] + 1.5 * x[i];
    }
}
