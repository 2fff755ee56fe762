# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

template <int kBlock>
__global__ void l1norm(const float* __restrict__ x, float* __restrict__ y, const int dim) {
    __shared__ float part[kBlock];
    __shared__ float mean;
    const int tid = threadIdx.x;
    const float* in = x + blockIdx.x * dim;
    float* out = y + blockIdx.x * dim;

    float s = 0.0f;
    for (int i = tid; i < dim; i += kBlock) s += fabsf(in[i]);
    part[tid] = s;
    __syncthreads();
    if (tid == 0) {
        float total = 0.0f;
        for (int i = 0; i < kBlock; ++i) total += part[i];
        mean = total / static_cast<float>(dim);
    }
    __syncthreads();
    for (int i = tid; i < dim; i += kBlock) out[i] = in[i] / mean;
}

torch::Tensor l1norm_forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    l1norm<16><<<x.size(0), 16>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
    return y;
}
"""

ext = load_inline(name="l1norm", cpp_sources="torch::Tensor l1norm_forward(torch::Tensor x);", cuda_sources=source, functions=["l1norm_forward"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return ext.l1norm_forward(x)
