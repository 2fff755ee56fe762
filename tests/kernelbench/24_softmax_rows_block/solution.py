# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

THREADS_PER_BLOCK = 32

helpers = """
__device__ inline float block_max(float v, float* buf) {
    const int t = threadIdx.x;
    buf[t] = v;
    __syncthreads();
    for (int s = blockDim.x >> 1; s > 0; s >>= 1) {
        if (t < s) buf[t] = fmaxf(buf[t], buf[t + s]);
        __syncthreads();
    }
    const float r = buf[0];
    __syncthreads();
    return r;
}

__device__ inline float block_sum(float v, float* buf) {
    const int t = threadIdx.x;
    buf[t] = v;
    __syncthreads();
    for (int s = blockDim.x >> 1; s > 0; s >>= 1) {
        if (t < s) buf[t] = buf[t] + buf[t + s];
        __syncthreads();
    }
    const float r = buf[0];
    __syncthreads();
    return r;
}
"""

kernel = """
__global__ void softmax_kernel(const float* __restrict__ x, float* __restrict__ y, int n) {
    extern __shared__ float buf[];
    const float* xr = x + blockIdx.x * n;
    float* yr = y + blockIdx.x * n;
    float m = -FLT_MAX;
    for (int i = threadIdx.x; i < n; i += blockDim.x) m = max(m, xr[i]);
    m = block_max(m, buf);
    float s = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += __expf(xr[i] - m);
    s = block_sum(s, buf);
    const float inv = 1.0f / s;
    for (int i = threadIdx.x; i < n; i += blockDim.x) yr[i] = __expf(xr[i] - m) * inv;
}
"""

launcher = """
torch::Tensor softmax(torch::Tensor x) {
    auto y = torch::empty_like(x);
    int threads = %d;
    int rows = x.numel() / x.size(-1);
    softmax_kernel<<<rows, threads, threads * sizeof(float)>>>(x.data_ptr<float>(), y.data_ptr<float>(), (int)x.size(-1));
    return y;
}
""" % THREADS_PER_BLOCK

full_source = "\n".join(["#include <torch/extension.h>", "#include <cfloat>", helpers, kernel, launcher])

ext = load_inline(name="softmax_block", cpp_sources="torch::Tensor softmax(torch::Tensor x);", cuda_sources=full_source, functions=["softmax"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return ext.softmax(x)
