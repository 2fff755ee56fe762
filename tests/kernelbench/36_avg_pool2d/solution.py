# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

struct Shape {
    int h, w, oh, ow;
};

__device__ float window_mean(const float* plane, int y0, int x0, int w, int k) {
    float s = 0.0f;
    for (int dy = 0; dy < k; ++dy)
        for (int dx = 0; dx < k; ++dx)
            s += plane[(y0 + dy) * w + x0 + dx];
    return s / (float)(k * k);
}

__global__ void avg_pool2d_kernel(const float* in, float* out, int planes, int h, int w, int oh, int ow, int k, int stride) {
    const Shape sh = {h, w, oh, ow};
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= planes * sh.oh * sh.ow) return;
    int x = idx % sh.ow;
    int y = (idx / sh.ow) % sh.oh;
    int p = idx / (sh.ow * sh.oh);
    out[idx] = window_mean(in + p * sh.h * sh.w, y * stride, x * stride, sh.w, k);
}

torch::Tensor avg_pool2d_cuda(torch::Tensor in, int k, c10::optional<int64_t> stride_opt) {
    int stride = stride_opt.has_value() ? stride_opt.value() : k;
    int n = in.size(0), c = in.size(1), h = in.size(2), w = in.size(3);
    int oh = (h - k) / stride + 1, ow = (w - k) / stride + 1;
    auto out = torch::empty({n, c, oh, ow}, in.options());
    int total = out.numel();
    avg_pool2d_kernel<<<(total + 255) / 256, 256>>>(in.data_ptr<float>(), out.data_ptr<float>(), n * c, h, w, oh, ow, k, stride);
    return out;
}
"""

ext = load_inline(
    name="avg_pool2d",
    cpp_sources="torch::Tensor avg_pool2d_cuda(torch::Tensor in, int k, c10::optional<int64_t> stride_opt);",
    cuda_sources=source,
    functions=["avg_pool2d_cuda"],
)


class ModelNew(nn.Module):
    def __init__(self, kernel_size: int, stride=None):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride

    def forward(self, x):
        return ext.avg_pool2d_cuda(x, self.kernel_size, self.stride)
