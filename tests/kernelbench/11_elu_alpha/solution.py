# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

elu_cpp = """
#include <torch/extension.h>

torch::Tensor elu_cuda(torch::Tensor x, float alpha);

torch::Tensor elu(torch::Tensor x, float alpha) {
    TORCH_CHECK(x.is_cuda() && x.is_contiguous(), "a contiguous CUDA tensor is needed");
    return elu_cuda(x, alpha);
}
"""

elu_cu = """
#include <torch/extension.h>

__global__ void elu_kernel(const float* __restrict__ x, float* __restrict__ out, float alpha, int n) {
    int base = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (base + 3 < n) {
        float4 v = *reinterpret_cast<const float4*>(x + base);
        float4 w = make_float4(v.x > 0.0f ? v.x : alpha * expm1f(v.x), v.y > 0.0f ? v.y : alpha * expm1f(v.y),
                               v.z > 0.0f ? v.z : alpha * expm1f(v.z), v.w > 0.0f ? v.w : alpha * expm1f(v.w));
        *reinterpret_cast<float4*>(out + base) = w;
    } else {
        for (int i = base; i < n; ++i) {
            float v = x[i];
            out[i] = v > 0.0f ? v : alpha * expm1f(v);
        }
    }
}

torch::Tensor elu_cuda(torch::Tensor x, float alpha) {
    auto out = torch::empty_like(x);
    int n = x.numel();
    int threads = 64;
    int blocks = ((n + 3) / 4 + threads - 1) / threads;
    elu_kernel<<<blocks, threads>>>(x.data_ptr<float>(), out.data_ptr<float>(), alpha, n);
    return out;
}
"""


class ModelNew(nn.Module):
    def __init__(self, alpha: float = 1.0):
        super(ModelNew, self).__init__()
        self.alpha = alpha
        self.elu = load_inline(name="elu_ext", cpp_sources=elu_cpp, cuda_sources=elu_cu, functions=["elu"], extra_cflags=["-O3"])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.elu.elu(x, self.alpha)
