# devsem: reject=cuda.call@13
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void row_sum(const float* x, float* y, int n) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    float s = 0.0f;
    for (int i = threadIdx.x; i < n; i += 32) s += x[blockIdx.x * n + i];
    s = cg::reduce(warp, s, cg::plus<float>());
    if (threadIdx.x == 0) y[blockIdx.x] = s;
}

torch::Tensor row_sum_cuda(torch::Tensor x) {
    auto y = torch::empty({x.size(0)}, x.options());
    row_sum<<<x.size(0), 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
    return y;
}
"""

ext = load_inline(name="row_sum", cpp_sources="torch::Tensor row_sum_cuda(torch::Tensor x);", cuda_sources=source, functions=["row_sum_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.row_sum_cuda(x)
