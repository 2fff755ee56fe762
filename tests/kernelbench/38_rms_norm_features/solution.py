# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

rms_source = """
#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void rms_norm(const float* __restrict__ x, float* __restrict__ y, int batch, int features, int spatial, float eps) {
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos >= batch * spatial) return;

    int b = pos / spatial;
    int s = pos - b * spatial;
    int offset = b * features * spatial + s;

    float acc = 0.0f;
    for (int f = 0; f < features; ++f) {
        float v = x[offset + f * spatial];
        acc += v * v;
    }
    float rms = sqrtf(acc / features + eps);
    for (int f = 0; f < features; ++f) {
        y[offset + f * spatial] = x[offset + f * spatial] / rms;
    }
}

torch::Tensor rms_norm_cuda(torch::Tensor x, float eps) {
    const int batch = x.size(0);
    const int features = x.size(1);
    int spatial = 1;
    for (int d = 2; d < x.dim(); ++d) {
        spatial *= x.size(d);
    }
    auto y = torch::empty_like(x);
    const int total = batch * spatial;
    rms_norm<<<(total + 63) / 64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), batch, features, spatial, eps);
    return y;
}
"""

rms = load_inline(name="rms", cpp_sources="torch::Tensor rms_norm_cuda(torch::Tensor x, float eps);", cuda_sources=rms_source, functions=["rms_norm_cuda"])


class ModelNew(nn.Module):
    def __init__(self, num_features: int, eps: float = 1e-5):
        super(ModelNew, self).__init__()
        self.num_features = num_features
        self.eps = eps
        self.rms = rms

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.rms.rms_norm_cuda(x.contiguous(), self.eps)
