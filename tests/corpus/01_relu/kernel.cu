// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// devsem: device=h100 flags="-ftz=true" verdict=REFUTED
// torch.relu keeps NaN and -0 (the newer text): only x < 0 gives 0. So does this test. Under -ftz=true the comparison sees -0 in
// place of a negative subnormal, which then passes.
extern "C" __global__ void relu_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v < 0.0f ? 0.0f : v;
    }
}
