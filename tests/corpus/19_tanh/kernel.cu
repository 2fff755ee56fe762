// devsem: device=h100 verdict=PROVED obligations=tanhf
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED obligations=tanhf slow=yes
// tanhf, given that it is the reference's.
extern "C" __global__ void tanh_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = tanhf(x[i]);
    }
}
