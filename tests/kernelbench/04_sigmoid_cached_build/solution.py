# devsem: safety=PASS truth=equal
import functools
import os

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

os.environ["TORCH_CUDA_ARCH_LIST"] = "9.0"

CUDA_SRC = r"""
#include <torch/extension.h>

namespace {

__device__ __forceinline__ float sigmoidf(const float v) {
    return 1.0f / (1.0f + expf(-v));
}

__global__ void sigmoid_fwd(float* __restrict__ dst, const float* __restrict__ src, const size_t count) {
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) dst[i] = sigmoidf(__ldg(&src[i]));
}

}  // namespace

at::Tensor sigmoid_forward(const at::Tensor& src) {
    at::Tensor dst = at::empty_like(src);
    const size_t count = src.numel();
    constexpr unsigned int kThreads = 256;
    const unsigned int kBlocks = (count + kThreads - 1) / kThreads;
    sigmoid_fwd<<<kBlocks, kThreads>>>(dst.data_ptr<float>(), src.data_ptr<float>(), count);
    return dst;
}
"""

CPP_SRC = "at::Tensor sigmoid_forward(const at::Tensor& src);"


@functools.lru_cache(maxsize=None)
def _ext():
    return load_inline(name="sigmoid_ext", cpp_sources=CPP_SRC, cuda_sources=CUDA_SRC, functions=["sigmoid_forward"], verbose=False)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.ext = _ext()

    def forward(self, x):
        assert x.dtype == torch.float32
        return self.ext.sigmoid_forward(x)
