// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// rintf: ties to even, as torch.round.
extern "C" __global__ void round_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = rintf(x[i]);
    }
}
