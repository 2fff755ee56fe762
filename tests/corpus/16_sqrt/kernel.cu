// devsem: device=ieee,t4,a100,h100,b200,rtx4090 verdict=PROVED
// devsem: device=h100 flags="-prec-sqrt=false" verdict=OPEN
// IEEE square root by default; sqrt.approx is within a bound that includes the right result.
extern "C" __global__ void sqrt_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = sqrtf(x[i]);
    }
}
