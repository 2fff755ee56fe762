// devsem: device=ieee verdict=PROVED
// A loop.
extern "C" __global__ void loop_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        for (int j = 0; j < 1; ++j) {
            s += 1.0f;
        }
        y[i] = s;
    }
}
