# devsem: safety=FAIL
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void relu4(const float4* x, float4* y, int n4) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n4) {
        float4 v = x[i];
        v.x = fmaxf(v.x, 0.0f);
        v.y = fmaxf(v.y, 0.0f);
        v.z = fmaxf(v.z, 0.0f);
        v.w = fmaxf(v.w, 0.0f);
        y[i] = v;
    }
}

torch::Tensor relu4_cuda(torch::Tensor x) {
    auto y = torch::empty_like(x);
    int n4 = (x.numel() + 3) / 4;
    relu4<<<(n4 + 127) / 128, 128>>>(reinterpret_cast<const float4*>(x.data_ptr<float>()), reinterpret_cast<float4*>(y.data_ptr<float>()), n4);
    return y;
}
"""

ext = load_inline(name="relu4", cpp_sources="torch::Tensor relu4_cuda(torch::Tensor x);", cuda_sources=source, functions=["relu4_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.relu4_cuda(x)
