// devsem: device=ieee bind="u=b,v=a,p=out,q=out,n=n" verdict=PROVED slow=yes
// Inputs bound by name, in the other order.
extern "C" __global__ void bound_outputs_k(const float* u, const float* v, float* p, float* q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i] = v[i] + u[i];
        q[i] = v[i] - u[i];
    }
}
