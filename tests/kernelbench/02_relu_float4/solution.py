# devsem: safety=PASS truth=differs
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

__device__ __forceinline__ float relu1(float v) { return v > 0.f ? v : 0.f; }

__global__ void __launch_bounds__(256) relu_vec4(const float* __restrict__ x, float* __restrict__ y, int n4)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n4) return;
    const float4 v = reinterpret_cast<const float4*>(x)[i];
    float4 r;
    r.x = relu1(v.x);
    r.y = relu1(v.y);
    r.z = relu1(v.z);
    r.w = relu1(v.w);
    reinterpret_cast<float4*>(y)[i] = r;
}

torch::Tensor relu_forward(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
    TORCH_CHECK(x.dtype() == torch::kFloat32, "x must be float32");
    TORCH_CHECK(x.numel() % 4 == 0, "the number of elements must be a multiple of 4");
    auto y = torch::empty_like(x);
    const int n4 = static_cast<int>(x.numel() / 4);
    const int threads = 256;
    const int blocks = (n4 + threads - 1) / threads;
    auto stream = at::cuda::getCurrentCUDAStream();
    relu_vec4<<<blocks, threads, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), n4);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
'''

cpp_src = r'''
torch::Tensor relu_forward(torch::Tensor x);
'''


class ModelNew(nn.Module):
    def __init__(self):
        super(ModelNew, self).__init__()
        self.mod = load_inline(
            name='relu_vec4_ext',
            cpp_sources=[cpp_src],
            cuda_sources=[cuda_src],
            functions=['relu_forward'],
            extra_cuda_cflags=['-O3'],
            with_cuda=True,
            verbose=False,
        )

    def forward(self, x):
        if not x.is_contiguous():
            x = x.contiguous()
        return self.mod.relu_forward(x)
