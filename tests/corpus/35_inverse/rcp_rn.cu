// devsem: device=h100 verdict=PROVED slow=yes
// devsem: device=ieee verdict=PROVED slow=yes
// devsem: device=h100 flags="-prec-div=false" verdict=PROVED slow=yes
// __frcp_rn is the correctly rounded reciprocal.
extern "C" __global__ void rcp_rn_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = __frcp_rn(x[i]);
    }
}
