// devsem: device=ieee verdict=REJECTED reject=cuda.syntax@6
// A syntax error.
extern "C" __global__ void syntax_error_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] + ;
    }
}
