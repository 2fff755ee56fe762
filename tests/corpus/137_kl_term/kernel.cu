// devsem: device=h100 flags="-fmad=false" verdict=PROVED obligations=logf
// devsem: device=h100 verdict=PROVED obligations=logf
// t * (log t - q).
extern "C" __global__ void kl_term_k(const float* t_in, const float* q_in, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float t = t_in[i];
    float q = q_in[i];
    y[i] = t * (logf(t) - q);
}
