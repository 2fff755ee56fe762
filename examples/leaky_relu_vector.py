# A KernelBench solution of leaky_relu.py: four elements at a time, then the rest. This file is read, and never run.
# Look at the two loops: together they must write every element once, whatever n and the number of blocks.
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__device__ __forceinline__ float leaky(float a) { return a > 0.0f ? a : 0.01f * a; }

__global__ void leaky_relu_vector(const float* __restrict__ x, float* __restrict__ y, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = blockDim.x * gridDim.x;
    int n4 = n / 4;
    const float4* x4 = reinterpret_cast<const float4*>(x);
    float4* y4 = reinterpret_cast<float4*>(y);
    for (int i = idx; i < n4; i += stride) {
        float4 v = x4[i];
        y4[i] = make_float4(leaky(v.x), leaky(v.y), leaky(v.z), leaky(v.w));
    }
    for (int i = n4 * 4 + idx; i < n; i += stride) y[i] = leaky(x[i]);
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    int n = x.numel();
    const int threads = 256;
    const int blocks = (n + 4 * threads - 1) / (4 * threads);
    leaky_relu_vector<<<blocks, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}
"""

extension = load_inline(name="leaky_relu_vector", cpp_sources="torch::Tensor forward(torch::Tensor x);", cuda_sources=source, functions=["forward"])


class ModelNew(nn.Module):
    def forward(self, x):
        return extension.forward(x)
