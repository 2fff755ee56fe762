// devsem: device=ieee verdict=PROVED
// The guard negated, the sum in another order, const and __restrict__.
extern "C" __global__ void not_less_k(const float* __restrict__ x, float* __restrict__ y, const int n) {
    const int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (!(i < n)) return;
    y[i] = x[i] + 1.0f;
}
