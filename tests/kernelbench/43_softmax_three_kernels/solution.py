# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void row_max(const float* x, float* m, int rows, int cols) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float best = x[r * cols];
    for (int c = 1; c < cols; ++c) best = fmaxf(best, x[r * cols + c]);
    m[r] = best;
}

__global__ void exp_sum(const float* x, const float* m, float* e, float* s, int rows, int cols) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float total = 0.0f;
    for (int c = 0; c < cols; ++c) {
        float v = expf(x[r * cols + c] - m[r]);
        e[r * cols + c] = v;
        total += v;
    }
    s[r] = total;
}

__global__ void divide(float* e, const float* s, int rows, int cols) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) e[i] = e[i] / s[i / cols];
}

torch::Tensor softmax3(torch::Tensor x) {
    const int rows = x.size(0), cols = x.size(1);
    auto m = torch::empty({rows}, x.options());
    auto s = torch::empty({rows}, x.options());
    auto e = torch::empty_like(x);
    const int t = 32;
    row_max<<<(rows + t - 1) / t, t>>>(x.data_ptr<float>(), m.data_ptr<float>(), rows, cols);
    exp_sum<<<(rows + t - 1) / t, t>>>(x.data_ptr<float>(), m.data_ptr<float>(), e.data_ptr<float>(), s.data_ptr<float>(), rows, cols);
    divide<<<(rows * cols + t - 1) / t, t>>>(e.data_ptr<float>(), s.data_ptr<float>(), rows, cols);
    return e;
}
"""

ext = load_inline(name="softmax3", cpp_sources="torch::Tensor softmax3(torch::Tensor x);", cuda_sources=source, functions=["softmax3"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return ext.softmax3(x)
