# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <torch/extension.h>

__global__ void gemm_bias(const float* x, const float* w, const float* b, float* h, int m, int n, int k) {
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < m && c < n) {
        float acc = b[c];
        for (int i = 0; i < k; ++i) acc += x[r * k + i] * w[c * k + i];
        h[r * n + c] = acc;
    }
}

__global__ void relu_inplace(float* h, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) h[i] = h[i] > 0.0f ? h[i] : 0.0f;
}

torch::Tensor linear_relu(torch::Tensor x, torch::Tensor weight, torch::Tensor bias) {
    int m = x.size(0), k = x.size(1), n = weight.size(0);
    auto h = torch::empty({m, n}, x.options());
    dim3 block(8, 8);
    dim3 grid((n + 7) / 8, (m + 7) / 8);
    gemm_bias<<<grid, block>>>(x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(), h.data_ptr<float>(), m, n, k);
    relu_inplace<<<(m * n + 63) / 64, 64>>>(h.data_ptr<float>(), m * n);
    return h;
}
"""

cpp_source = "torch::Tensor linear_relu(torch::Tensor x, torch::Tensor weight, torch::Tensor bias);"


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.op = load_inline(name="linear_relu", cpp_sources=cpp_source, cuda_sources=cuda_source, functions=["linear_relu"])

    def forward(self, x):
        return self.op.linear_relu(x, self.linear.weight, self.linear.bias)
