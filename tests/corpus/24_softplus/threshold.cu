// devsem: device=h100 verdict=OPEN truth=unknown slow=yes
// devsem: device=ieee verdict=OPEN truth=unknown slow=yes
// A threshold of 30: between 20 and 30 log1p(exp(x)) may round to x within the functions' bounds.
extern "C" __global__ void threshold_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 30.0f ? v : log1pf(expf(v));
    }
}
