extern "C" __global__ void channel(const float* x, const float* w, float* y, int total, int channels, int plane) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < total) y[i] = x[i] * w[(i / plane) % channels];
}
