// devsem: device=h100 verdict=PROVED obligations=atan2f,fmodf,hypotf
// devsem: device=ieee verdict=PROVED obligations=atan2f,fmodf,hypotf slow=yes
// Functions of two arguments.
extern "C" __global__ void two_arguments_k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = atan2f(a[i], b[i]) * hypotf(a[i], b[i]) * fmodf(a[i], b[i]);
    }
}
