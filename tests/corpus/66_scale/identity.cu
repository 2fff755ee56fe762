// devsem: device=ieee,h100 verdict=REFUTED
// x itself: an odd subnormal loses its last bit in the spec.
extern "C" __global__ void identity_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i];
    }
}
