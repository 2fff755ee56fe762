// devsem: device=h100 verdict=PROVED
// devsem: device=ieee,t4,a100,b200,rtx4090 verdict=PROVED slow=yes
// devsem: device=h100 flags="-ftz=true" verdict=PROVED
// NaN and every number inside the bounds pass. Flushing cannot move a number across -1 or 1, and a select copies.
extern "C" __global__ void clamp_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v < -1.0f ? -1.0f : (v > 1.0f ? 1.0f : v);
    }
}
