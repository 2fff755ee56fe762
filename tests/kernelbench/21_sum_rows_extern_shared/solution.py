# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void row_sum(const float* __restrict__ x, float* __restrict__ y, int n) {
    extern __shared__ float cache[];
    const float* row = x + (size_t)blockIdx.x * n;
    float local = 0.f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) local += row[i];
    cache[threadIdx.x] = local;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (threadIdx.x < stride) cache[threadIdx.x] += cache[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = cache[0];
}

torch::Tensor row_sum_forward(torch::Tensor x) {
    const auto rows = x.size(0);
    const auto n = x.size(1);
    auto y = torch::empty({rows}, x.options());
    const int threads = 64;
    const size_t smem = threads * sizeof(float);
    row_sum<<<rows, threads, smem>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}
"""

row_sum = load_inline(
    name="row_sum",
    cpp_sources="#include <torch/extension.h>\ntorch::Tensor row_sum_forward(torch::Tensor x);",
    cuda_sources=source,
    functions=["row_sum_forward"],
    extra_cuda_cflags=["-O3", "-std=c++17"],
)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.row_sum = row_sum.row_sum_forward

    def forward(self, x):
        return self.row_sum(x)
