// devsem: device=ieee verdict=OPEN truth=unknown slow=yes
// powf(x, 3) is within 4 ulp of the cube, as (x*x)*x is, and their special values agree.
extern "C" __global__ void powf_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = powf(x[i], 3.0f);
    }
}
