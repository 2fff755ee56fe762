# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r'''
#include <torch/extension.h>

__global__ void mean_dim1(const float* __restrict__ in, float* __restrict__ out, int batch, int reduce, int inner) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int total = batch * inner;
    if (idx < total) {
        int b = idx / inner;
        int k = idx % inner;
        const float* base = in + b * reduce * inner + k;
        float sum = 0.0f;
        #pragma unroll 4
        for (int r = 0; r < reduce; ++r) {
            sum += base[r * inner];
        }
        out[idx] = sum / (float)reduce;
    }
}

torch::Tensor mean_dim1_cuda(torch::Tensor in, int dim) {
    TORCH_CHECK(in.dim() == 3, "three dimensions");
    TORCH_CHECK(dim == 1, "the middle one");
    auto sizes = in.sizes();
    int batch = sizes[0], reduce = sizes[1], inner = sizes[2];
    auto out = torch::empty({batch, inner}, torch::TensorOptions().dtype(torch::kFloat32).device(torch::kCUDA));
    const int threads = 64;
    const int blocks = (batch * inner + threads - 1) / threads;
    mean_dim1<<<blocks, threads>>>(in.data_ptr<float>(), out.data_ptr<float>(), batch, reduce, inner);
    return out;
}
'''


class ModelNew(nn.Module):
    def __init__(self, dim: int):
        super(ModelNew, self).__init__()
        self.dim = dim
        self.ops = load_inline(
            name="mean_dim1", cpp_sources="torch::Tensor mean_dim1_cuda(torch::Tensor in, int dim);", cuda_sources=source, functions=["mean_dim1_cuda"]
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.ops.mean_dim1_cuda(x, self.dim)
