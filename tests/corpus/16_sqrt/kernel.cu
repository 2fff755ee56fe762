// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// devsem: device=h100 flags="-prec-sqrt=false" verdict=OPEN truth=unknown
// IEEE square root by default; sqrt.approx is within a bound that includes the right result.
extern "C" __global__ void sqrt_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = sqrtf(x[i]);
    }
}
