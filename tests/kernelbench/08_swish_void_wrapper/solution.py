# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <cuda_runtime.h>
#include <torch/extension.h>

__global__ void swish_kernel(const float* in, float* out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    {
        const float x = in[i];
        out[i] = x / (1.0f + expf(-x));
    }
}

void swish_out(torch::Tensor in, torch::Tensor out)
{
    const int n = in.numel();
    const int threads = 64;
    const int blocks = std::min((n + threads - 1) / threads, 2);
    swish_kernel<<<blocks, threads>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);
}
"""

swish = load_inline(name="swish", cpp_sources="void swish_out(torch::Tensor in, torch::Tensor out);", cuda_sources=cuda_source, functions=["swish_out"])


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        swish.swish_out(x, out)
        return out
