// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// A NaN test before fmaxf: torch.maximum propagates NaN; both order -0 below +0.
extern "C" __global__ void maximum_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float p = a[i], q = b[i];
        y[i] = isnan(p) ? p : isnan(q) ? q : fmaxf(p, q);
    }
}
