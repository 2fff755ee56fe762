// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// devsem: device=h100 flags="-ftz=true" verdict=REFUTED
// x/2 and x*0.5 are the same real number, rounded once. 2^-127 is a subnormal number: flushed with -ftz=true.
extern "C" __global__ void half_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] * 0.5f;
    }
}
