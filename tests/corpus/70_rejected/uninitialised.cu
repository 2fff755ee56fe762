// devsem: device=ieee verdict=REJECTED reject=run.unset@8
// v is read although one path does not set it.
extern "C" __global__ void uninitialised_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v;
        if (x[i] > 0.0f) v = x[i];
        y[i] = v + 1.0f;
    }
}
