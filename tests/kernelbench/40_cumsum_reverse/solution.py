# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void reverse_cumsum(const float* __restrict__ x, float* __restrict__ y, const int n) {
    if (threadIdx.x != 0) return;
    const float* src = x + blockIdx.x * n;
    float* dst = y + blockIdx.x * n;
    float acc = 0.f;
    for (int i = n - 1; i >= 0; --i) {
        acc += src[i];
        dst[i] = acc;
    }
}

torch::Tensor reverse_cumsum_cuda(torch::Tensor x, int64_t dim) {
    TORCH_CHECK(x.ndimension() == 2 && dim == 1);
    auto y = torch::zeros_like(x);
    reverse_cumsum<<<x.size(0), 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
    return y;
}
"""

ext = load_inline(name="rcumsum", cpp_sources="torch::Tensor reverse_cumsum_cuda(torch::Tensor x, int64_t dim);", cuda_sources=source,
                  functions=["reverse_cumsum_cuda"])


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        return ext.reverse_cumsum_cuda(x, self.dim)
