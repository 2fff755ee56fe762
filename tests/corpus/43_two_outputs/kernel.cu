// devsem: device=h100 verdict=PROVED
// devsem: device=ieee verdict=PROVED slow=yes
// Two outputs under one guard.
extern "C" __global__ void two_outputs_k(const float* a, const float* b, float* p, float* q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float u = a[i], v = b[i];
        p[i] = u + v;
        q[i] = u - v;
    }
}
