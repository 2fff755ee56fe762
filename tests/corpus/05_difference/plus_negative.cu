// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// b + (-a) is b - a by IEEE 754, zeros included.
extern "C" __global__ void plus_negative_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = b[i] + (-a[i]);
    }
}
