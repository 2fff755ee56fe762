# devsem: safety=PASS truth=equal
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void scale_kernel(const float* A, float s, float* C, int64_t total) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < total) C[i] = A[i] * s;
}

torch::Tensor scale(torch::Tensor A, double s) {
    auto C = torch::empty_like(A);
    int64_t total = A.numel();
    int threads = 256;
    int64_t blocks = (total + threads - 1) / threads;
    scale_kernel<<<blocks, threads>>>(A.data_ptr<float>(), static_cast<float>(s), C.data_ptr<float>(), total);
    return C;
}
"""

ext = load_inline(name="scale_ext", cpp_sources="torch::Tensor scale(torch::Tensor A, double s);", cuda_sources=source, functions=["scale"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A: torch.Tensor, s: float) -> torch.Tensor:
        return ext.scale(A, s)
