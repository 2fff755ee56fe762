# devsem: safety=FAIL
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void row_sum(const float* x, float* y, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t < n ? x[blockIdx.x * n + t] : 0.0f;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
    }
    if (t == 0) y[blockIdx.x] = s[0];
}

torch::Tensor row_sum_cuda(torch::Tensor x) {
    auto y = torch::empty({x.size(0)}, x.options());
    row_sum<<<x.size(0), 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
    return y;
}
"""

ext = load_inline(name="row_sum", cpp_sources="torch::Tensor row_sum_cuda(torch::Tensor x);", cuda_sources=source, functions=["row_sum_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.row_sum_cuda(x)
