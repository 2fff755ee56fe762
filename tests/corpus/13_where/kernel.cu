// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// devsem: device=h100 flags="-ftz=true" verdict=REFUTED
// Two stores under opposite conditions. With -ftz=true the comparison does not see subnormals.
extern "C" __global__ void where_k(const float* a, const float* b, const float* c, const float* d, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (a[i] > b[i]) {
            y[i] = c[i];
        } else {
            y[i] = d[i];
        }
    }
}
