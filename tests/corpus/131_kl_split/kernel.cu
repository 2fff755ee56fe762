// devsem: device=h100 flags="-fmad=false" verdict=REFUTED
// devsem: device=h100 verdict=REFUTED
// t * log t - t * q is NaN where t is infinite and q zero.
extern "C" __global__ void kl_split_k(const float* t_in, const float* q_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float t = t_in[i];
    float q = q_in[i];
    y[i] = t * logf(t) - t * q;
}
