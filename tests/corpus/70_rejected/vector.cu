// devsem: device=ieee verdict=REFUTED
// A vector type.
extern "C" __global__ void vector_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 v = make_float4(x[i], 0.0f, 0.0f, 0.0f);
        y[i] = v.x;
    }
}
