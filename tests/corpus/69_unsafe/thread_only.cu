// devsem: device=ieee verdict=REFUTED safety=FAIL
// The block is forgotten: every block writes the first elements.
extern "C" __global__ void thread_only_k(const float* x, float* y, int n) {
    int i = threadIdx.x;
    if (i < n) {
        y[i] = x[i] + 1.0f;
    }
}
