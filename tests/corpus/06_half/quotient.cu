// devsem: device=ieee,h100 verdict=PROVED
// The division itself.
extern "C" __global__ void quotient_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] / 2.0f;
    }
}
