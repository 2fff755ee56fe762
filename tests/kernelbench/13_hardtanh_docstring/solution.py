# devsem: safety=PASS truth=differs
"""HardTanh: a clamp to [-1, 1]. fminf and fmaxf lose a NaN that clamp keeps."""
import textwrap

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline


def _make():
    """Compile the extension."""
    cuda = textwrap.dedent("""
        #include <torch/extension.h>
        __global__ void hardtanh_kernel(const float* __restrict__ x, float* __restrict__ y, float lo, float hi, int n) {
            const int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) y[i] = fminf(fmaxf(x[i], lo), hi);
        }
        torch::Tensor hardtanh_forward(torch::Tensor x, float lo, float hi) {
            auto y = torch::empty_like(x);
            int n = static_cast<int>(x.numel());
            dim3 block(256);
            dim3 grid((n + block.x - 1) / block.x);
            hardtanh_kernel<<<grid, block>>>(x.data_ptr<float>(), y.data_ptr<float>(), lo, hi, n);
            return y;
        }
    """)
    return load_inline(name="hardtanh", cpp_sources="torch::Tensor hardtanh_forward(torch::Tensor x, float lo, float hi);",
                       cuda_sources=cuda, functions=["hardtanh_forward"])


_mod = _make()


class ModelNew(nn.Module):
    """HardTanh."""

    def __init__(self) -> None:
        """Nothing to keep."""
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x: any shape; returns the same shape."""
        return _mod.hardtanh_forward(x, -1.0, 1.0)
