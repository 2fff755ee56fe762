extern "C" __global__ void relu4(const float* x, float* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < n) {
    float4 v = *reinterpret_cast<const float4*>(x + i);
    float4 r;
    r.x = v.x > 0.0f ? v.x : 0.01f * v.x; r.y = v.y > 0.0f ? v.y : 0.01f * v.y;
    r.z = v.z > 0.0f ? v.z : 0.01f * v.z; r.w = v.w > 0.0f ? v.w : 0.01f * v.w;
    *reinterpret_cast<float4*>(y + i) = r;
  } else {
    for (int j = i; j < n; ++j) y[j] = x[j] > 0.0f ? x[j] : 0.01f * x[j];
  }
}
