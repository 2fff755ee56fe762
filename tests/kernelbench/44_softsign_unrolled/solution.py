# devsem: safety=PASS truth=equal
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

ITEMS = 4

source = (
    "#include <torch/extension.h>\n"
    f"#define ITEMS {ITEMS}\n"
    "__global__ void softsign(const float* x, float* y, int n) {\n"
    "    int first = blockIdx.x * blockDim.x * ITEMS + threadIdx.x;\n"
    "    float v[ITEMS];\n"
    "    #pragma unroll\n"
    "    for (int k = 0; k < ITEMS; ++k) {\n"
    "        int i = first + k * blockDim.x;\n"
    "        v[k] = i < n ? x[i] : 0.0f;\n"
    "    }\n"
    "    #pragma unroll\n"
    "    for (int k = 0; k < ITEMS; ++k) {\n"
    "        int i = first + k * blockDim.x;\n"
    "        if (i < n) y[i] = v[k] / (1.0f + fabsf(v[k]));\n"
    "    }\n"
    "}\n"
    "torch::Tensor softsign_cuda(torch::Tensor x) {\n"
    "    auto y = torch::empty_like(x);\n"
    "    int n = x.numel();\n"
    "    int threads = 64, per_block = threads * ITEMS;\n"
    "    softsign<<<(n + per_block - 1) / per_block, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);\n"
    "    return y;\n"
    "}\n"
)

ext = load_inline(name="softsign", cpp_sources="torch::Tensor softsign_cuda(torch::Tensor x);", cuda_sources=source, functions=["softsign_cuda"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return ext.softsign_cuda(x)
