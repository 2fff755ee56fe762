// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// devsem: device=b200 flags="-ftz=true" verdict=REFUTED
// An IEEE division by 3. On sm_100 and later -ftz=true makes it a product with 1/3, and flushes.
extern "C" __global__ void third_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] / 3.0f;
    }
}
