# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

NAME = "hardswish"
ARGS = "torch::Tensor x"
THREADS = 256
VEC = 1

decl = f"torch::Tensor {NAME}_forward({ARGS})"

body = f"""
#include <torch/extension.h>
#include <cuda_fp16.h>

template <int THREADS>
__global__ void {NAME}_kernel(const float* __restrict__ x, float* __restrict__ y, int numel) {{
    int tid = blockIdx.x * THREADS + threadIdx.x;
    if (tid >= numel) {{
        return;
    }}
    float v = x[tid];
    float r = fminf(fmaxf(v + 3.0f, 0.0f), 6.0f);
    y[tid] = v * r * (1.0f / 6.0f);
}}

{decl} {{
    x = x.contiguous();
    auto y = torch::empty_like(x);
    int numel = x.numel();
    {NAME}_kernel<{THREADS}><<<(numel + {THREADS - 1}) / {THREADS}, {THREADS}>>>(x.data_ptr<float>(), y.data_ptr<float>(), numel);
    return y;
}}
"""

module = load_inline(name=f"{NAME}_{THREADS}_{VEC}", cpp_sources=decl + ";", cuda_sources=body, functions=[f"{NAME}_forward"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.fn = module.hardswish_forward

    def forward(self, x):
        return self.fn(x)
