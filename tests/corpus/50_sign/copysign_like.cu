// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// A quotient x/|x| is NaN at 0.
extern "C" __global__ void copysign_like_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] / fabsf(x[i]);
    }
}
