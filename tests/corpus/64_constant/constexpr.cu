// devsem: device=ieee verdict=PROVED slow=yes
// A constexpr and a macro.
#define ONE 1.0f
constexpr float TENTH = 0.1f;
extern "C" __global__ void constexpr_k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] * TENTH * ONE;
    }
}
