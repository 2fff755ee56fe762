// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// devsem: device=h100 flags="-ftz=true" verdict=REFUTED
// torch.fmin is fminf; with -ftz=true the instruction flushes its operands.
extern "C" __global__ void fmin_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fminf(a[i], b[i]);
    }
}
