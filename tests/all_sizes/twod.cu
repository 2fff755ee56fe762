extern "C" __global__ void twod(const float* x, float* y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) { int i = r * cols + c; y[i] = x[i] > 0.0f ? x[i] : 0.01f * x[i]; }
}
