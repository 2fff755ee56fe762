// devsem: device=ieee verdict=PROVED slow=yes
// Without extern C; the size has another of the known names.
__global__ void plus_one(const float* input, float* output, int num_elements) {
    int idx = blockDim.x * blockIdx.x + threadIdx.x;
    if (idx < num_elements) {
        output[idx] = 1.0f + input[idx];
    }
}
