# devsem: safety=PASS truth=differs
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cfloat>

__global__ void max_pool1d_kernel(const float* __restrict__ x, float* __restrict__ y, int channels, int length, int out_length,
                                  int kernel_size, int stride, int padding, int dilation) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= channels * out_length) return;
    int c = i / out_length;
    int o = i % out_length;
    int start = o * stride - padding;
    float best = -FLT_MAX;
    for (int k = 0; k < kernel_size; ++k) {
        int pos = start + k * dilation;
        if (pos >= 0 && pos < length) {
            best = fmaxf(best, x[c * length + pos]);
        }
    }
    y[i] = best;
}

torch::Tensor max_pool1d_cuda(torch::Tensor x, int kernel_size, int stride, int padding, int dilation) {
    const int batch = x.size(0), channels = x.size(1), length = x.size(2);
    const int out_length = (length + 2 * padding - dilation * (kernel_size - 1) - 1) / stride + 1;
    auto y = torch::empty({batch, channels, out_length}, x.options());
    const int total = batch * channels * out_length;
    const int threads = 128;
    max_pool1d_kernel<<<(total + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), batch * channels, length, out_length,
                                                                    kernel_size, stride, padding, dilation);
    return y;
}
"""

ext = load_inline(
    name="max_pool1d",
    cpp_sources="torch::Tensor max_pool1d_cuda(torch::Tensor x, int kernel_size, int stride, int padding, int dilation);",
    cuda_sources=source,
    functions=["max_pool1d_cuda"],
)


class ModelNew(nn.Module):
    def __init__(self, kernel_size: int, stride: int, padding: int, dilation: int):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation

    def forward(self, x):
        return ext.max_pool1d_cuda(x, self.kernel_size, self.stride, self.padding, self.dilation)
