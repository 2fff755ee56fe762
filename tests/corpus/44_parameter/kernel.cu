// devsem: device=ieee verdict=PROVED
// devsem: device=h100 verdict=REFUTED
// Parameters of the module come after its inputs. Fused by default.
extern "C" __global__ void parameter_k(const float* x, const float* weight, const float* bias, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] * weight[i] + bias[i];
    }
}
