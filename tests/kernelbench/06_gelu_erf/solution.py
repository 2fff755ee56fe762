# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils import cpp_extension

INV_SQRT2 = 0.70710678118654752440
BLOCK = 512

source = f"""
#include <torch/extension.h>

static constexpr float kInvSqrt2 = {INV_SQRT2}f;

__global__ void gelu_kernel(const float* x, float* y, const int n) {{
    const int i = blockIdx.x * {BLOCK} + threadIdx.x;
    if (i < n) {{
        const float v = x[i];
        y[i] = 0.5f * v * (1.0f + erff(v * kInvSqrt2));
    }}
}}

torch::Tensor gelu(torch::Tensor x) {{
    torch::Tensor y = torch::empty_like(x);
    const int n = x.numel();
    gelu_kernel<<<(n + {BLOCK} - 1) / {BLOCK}, {BLOCK}>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}}
"""

gelu_ext = cpp_extension.load_inline("gelu_ext", "torch::Tensor gelu(torch::Tensor x);", source, ["gelu"])


class ModelNew(nn.Module):
    def forward(self, x):
        return gelu_ext.gelu(x)
