# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void cumsum_rows(const float* x, float* y, int rows, int cols) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        float running = 0.0f;
        for (int c = 0; c < cols; ++c) {
            running += x[r * cols + c];
            y[r * cols + c] = running;
        }
    }
}

torch::Tensor cumsum_cuda(torch::Tensor x, int dim) {
    if (dim < 0) dim += x.dim();
    TORCH_CHECK(dim == x.dim() - 1, "only the last dimension");
    auto y = torch::empty_like(x);
    int cols = x.size(dim);
    int rows = x.numel() / cols;
    cumsum_rows<<<(rows + 31) / 32, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, cols);
    return y;
}
"""

ext = load_inline(name="cumsum_rows", cpp_sources="torch::Tensor cumsum_cuda(torch::Tensor x, int dim);", cuda_sources=source, functions=["cumsum_cuda"])


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        return ext.cumsum_cuda(x, self.dim)
