# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

template <typename T>
__global__ void max_pool2d_kernel(
    const T* __restrict__ input,
    T* __restrict__ output,
    const int channels,
    const int height,
    const int width,
    const int out_h,
    const int out_w,
    const int k,
    const int stride,
    const int pad,
    const int dil
) {
    const int ow = blockIdx.x * blockDim.x + threadIdx.x;
    const int oh = blockIdx.y * blockDim.y + threadIdx.y;
    const int bc = blockIdx.z;
    if (ow >= out_w || oh >= out_h) return;

    const T* plane = input + bc * height * width;
    T best = -INFINITY;
    for (int kh = 0; kh < k; kh++) {
        const int ih = oh * stride - pad + kh * dil;
        if (ih >= 0 && ih < height) {
            for (int kw = 0; kw < k; kw++) {
                const int iw = ow * stride - pad + kw * dil;
                if (iw >= 0 && iw < width) {
                    const T v = plane[ih * width + iw];
                    if (v > best || isnan(v)) best = v;
                }
            }
        }
    }
    output[(bc * out_h + oh) * out_w + ow] = best;
}

torch::Tensor max_pool2d_cuda(torch::Tensor input, int k, int stride, int pad, int dil) {
    const auto n = input.size(0);
    const auto c = input.size(1);
    const auto h = input.size(2);
    const auto w = input.size(3);
    const auto oh = (h + 2 * pad - dil * (k - 1) - 1) / stride + 1;
    const auto ow = (w + 2 * pad - dil * (k - 1) - 1) / stride + 1;
    auto output = torch::empty({n, c, oh, ow}, input.options());
    const dim3 threads(8, 8);
    const dim3 blocks((ow + 7) / 8, (oh + 7) / 8, n * c);
    AT_DISPATCH_FLOATING_TYPES(input.type(), "max_pool2d", ([&] {
        max_pool2d_kernel<scalar_t><<<blocks, threads>>>(
            input.data_ptr<scalar_t>(), output.data_ptr<scalar_t>(), c, h, w, oh, ow, k, stride, pad, dil);
    }));
    return output;
}
"""

cpp = "torch::Tensor max_pool2d_cuda(torch::Tensor input, int k, int stride, int pad, int dil);"


class ModelNew(nn.Module):
    def __init__(self, kernel_size: int, stride: int, padding: int, dilation: int):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.ops = load_inline(name="max_pool2d", cpp_sources=[cpp], cuda_sources=[source], functions=["max_pool2d_cuda"], verbose=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.ops.max_pool2d_cuda(x, self.kernel_size, self.stride, self.padding, self.dilation)
