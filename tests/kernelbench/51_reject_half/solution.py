# devsem: reject=cuda.half@13
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cuda_fp16.h>

__global__ void relu_half(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        __half h = __float2half(x[i]);
        y[i] = __half2float(__hmax(h, __float2half(0.0f)));
    }
}

torch::Tensor relu_half_cuda(torch::Tensor x) {
    auto y = torch::empty_like(x);
    int n = x.numel();
    relu_half<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}
"""

ext = load_inline(name="relu_half", cpp_sources="torch::Tensor relu_half_cuda(torch::Tensor x);", cuda_sources=source, functions=["relu_half_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.relu_half_cuda(x)
