# devsem: safety=PASS truth=equal
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void concat_kernel(const float* a, const float* b, float* out, int rows, int ca, int cb) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y;
    int cols = ca + cb;
    if (c >= cols) return;
    float v;
    if (c < ca) {
        v = a[r * ca + c];
    } else {
        v = b[r * cb + (c - ca)];
    }
    out[r * cols + c] = v;
}

torch::Tensor concat_cuda(torch::Tensor a, torch::Tensor b) {
    TORCH_CHECK(a.size(0) == b.size(0), "rows differ");
    int rows = a.size(0), ca = a.size(1), cb = b.size(1);
    auto out = torch::empty({rows, ca + cb}, a.options());
    const int threads = 32;
    concat_kernel<<<dim3((ca + cb + threads - 1) / threads, rows), threads>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), rows, ca, cb);
    return out;
}
"""

ext = load_inline(name="concat", cpp_sources="torch::Tensor concat_cuda(torch::Tensor a, torch::Tensor b);", cuda_sources=source, functions=["concat_cuda"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return ext.concat_cuda(a, b)
