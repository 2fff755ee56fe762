// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=logf
// devsem: device=h100 verdict=PROVED obligations=logf
// Where the minus stands does not matter, and the square is a product.
extern "C" __global__ void focal_k(const float* p_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float p = p_in[i];
    y[i] = -(1.0f - p) * (1.0f - p) * logf(p);
}
