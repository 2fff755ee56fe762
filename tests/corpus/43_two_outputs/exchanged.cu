// devsem: device=h100 verdict=REFUTED slow=yes
// devsem: device=ieee verdict=REFUTED slow=yes
// The outputs are exchanged: without a binding the first written parameter is the first output.
extern "C" __global__ void exchanged_k(const float* a, const float* b, float* p, float* q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float u = a[i], v = b[i];
        q[i] = u + v;
        p[i] = u - v;
    }
}
