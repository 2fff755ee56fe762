// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// devsem: device=h100 flags="-prec-div=false -prec-sqrt=false" verdict=PROVED
// Every operation by its intrinsic: contraction and precision flags change nothing.
extern "C" __global__ void intrinsics_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = __fadd_rn(__fsqrt_rn(__fdiv_rn(__fmul_rn(__fsub_rn(a[i], b[i]), 0.5f), b[i])), a[i]);
    }
}
