# devsem: safety=PASS truth=unknown
import math

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

_COEFF = math.sqrt(2.0 / math.pi)

_source = """
#include <torch/extension.h>
#include <math.h>

__global__ void new_gelu(const float *x, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        float v = x[i];
        float cube = v * v * v;
        float inner = COEFF * (v + 0.044715f * cube);
        out[i] = 0.5f * v * (1.0f + tanhf(inner));
    }
}

torch::Tensor new_gelu_cuda(torch::Tensor x)
{
    auto out = torch::empty_like(x);
    int n = x.numel();
    int threads = 256;
    int blocks = (n + threads - 1) / threads;
    new_gelu<<<blocks, threads>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
    return out;
}
""".replace("COEFF", str(_COEFF) + "f")

_ext = load_inline(
    name="new_gelu_ext",
    cpp_sources="""
torch::Tensor new_gelu_cuda(torch::Tensor x);
""",
    cuda_sources=_source,
    functions=["new_gelu_cuda"],
    extra_cuda_cflags=["-O3", "--use_fast_math"],
)


class ModelNew(nn.Module):
    def __init__(self):
        super(ModelNew, self).__init__()
        self.op = _ext

    def forward(self, x):
        return self.op.new_gelu_cuda(x.cuda() if not x.is_cuda else x)
