# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

_src = """
#include <torch/extension.h>

__global__ void log_softmax_kernel(const float* __restrict__ x, float* __restrict__ y, int B, int D) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= B) { return; }
    const float* xi = &x[b * D];
    float* yi = &y[b * D];
    float mx = xi[0];
    for (int d = 1; d < D; ++d) mx = xi[d] > mx ? xi[d] : mx;
    float z = 0.f;
    for (int d = 0; d < D; ++d) z += expf(xi[d] - mx);
    const float lse = logf(z);
    for (int d = 0; d < D; ++d) yi[d] = xi[d] - mx - lse;
}

torch::Tensor log_softmax_fwd(torch::Tensor x, int64_t dim) {
    TORCH_CHECK(x.dim() == 2 && (dim == 1 || dim == -1), "log_softmax over the rows of a matrix");
    auto y = torch::empty_like(x);
    const int B = x.size(0), D = x.size(1);
    const int t = 128;
    log_softmax_kernel<<<(B + t - 1) / t, t>>>(x.data_ptr<float>(), y.data_ptr<float>(), B, D);
    return y;
}
"""
_cpp = "torch::Tensor log_softmax_fwd(torch::Tensor x, int64_t dim);"


class ModelNew(nn.Module):
    _mod = load_inline(name="lsm", cpp_sources=_cpp, cuda_sources=_src, functions=["log_softmax_fwd"])

    def __init__(self, dim: int = 1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        return self._mod.log_softmax_fwd(x, self.dim)
