# devsem: reject=cuda.atomic@12
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void sum_all(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(out, x[i]);
    }
}

torch::Tensor sum_all_cuda(torch::Tensor x) {
    auto out = torch::zeros({}, x.options());
    int n = x.numel();
    sum_all<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
    return out;
}
"""

ext = load_inline(name="sum_all", cpp_sources="torch::Tensor sum_all_cuda(torch::Tensor x);", cuda_sources=source, functions=["sum_all_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.sum_all_cuda(x)
