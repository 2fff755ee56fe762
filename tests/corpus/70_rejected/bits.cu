// devsem: device=ieee verdict=REJECTED reject=cuda.reinterpret@6
// Bits of a number.
extern "C" __global__ void bits_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = __int_as_float(__float_as_int(x[i]));
    }
}
