// devsem: device=h100 bind="slope=0.01" verdict=PROVED slow=yes
// devsem: device=ieee bind="slope=0.01" verdict=PROVED slow=yes
// The slope is a parameter, bound to 0.01 and rounded to Float32 as the spec's number is.
extern "C" __global__ void bound_slope_k(const float* x, float* y, float slope, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 0.0f ? v : slope * v;
    }
}
