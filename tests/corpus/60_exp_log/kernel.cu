// devsem: device=h100 verdict=PROVED obligations=expf,logf
// devsem: device=ieee verdict=PROVED obligations=expf,logf slow=yes
// expf, an addition, logf.
extern "C" __global__ void exp_log_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = logf(expf(x[i]) + 1.0f);
    }
}
