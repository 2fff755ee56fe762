// Look at the rounding: nvcc fuses a*b+c into one fma by default, PyTorch rounds twice.
// PROVED on ieee and with -fmad=false, REFUTED on a device with the default flags.
extern "C" __global__ void axpb_kernel(const float* a, const float* b, const float* c, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = a[i] * b[i] + c[i];
    }
}
