extern "C" __global__ void bias_relu(const float* x, const float* bias, float* y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) {
    float v = x[r * cols + c] + bias[c];
    y[r * cols + c] = v < 0.0f ? 0.0f : v;
  }
}
