// devsem: device=h100 flags="-fmad=false" verdict=PROVED bind="lr=0.01" slow=yes
// devsem: device=h100 verdict=REFUTED bind="lr=0.01" slow=yes
// devsem: device=h100 flags="-use_fast_math" verdict=REFUTED bind="lr=0.01" slow=yes
// The first parameter is updated in place; it is the spec's input of its name.
extern "C" __global__ void update_in_place_k(float* p, const float* g, float lr, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i] = p[i] - lr * g[i];
}
